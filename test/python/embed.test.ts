import { expect } from 'chai'
import { errorOf } from '../helpers/plugins.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

const PROVIDER = `
kind = "provider"
name = "py"

def call(native, state):
    return [], [], native, state

def embed(inputs, options, context):
    if context.config["model"] == "broken":
        raise ValueError("no such model")
    size = options.get("dimensions", 2)
    return {"vectors": [[float(len(text))] * size for text in inputs], "tokens": 5}
`

describe('embed in Python', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  it('gets inputs, options and context, and returns vectors', async () => {
    const host = await folder.host([PROVIDER], { provider: 'py', model: 'm' })
    const plain = await host.embed({}, ['one', 'three'])
    expect(plain).to.deep.include({
      vectors: [
        [3, 3],
        [5, 5],
      ],
      tokens: 5,
    })
    const { vectors } = await host.embed({}, ['one'], { dimensions: 3 })
    expect(vectors).to.deep.equal([[3, 3, 3]])
    const error = await errorOf(host.embed({ model: 'broken' }, ['one']))
    expect(error).to.include({ code: 'HOOK_FAILED', plugin: 'py', hook: 'embed' })
  })
})
