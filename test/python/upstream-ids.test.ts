import { expect } from 'chai'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

const PROVIDER = `
kind = "provider"
name = "noting"

def call(native, state, context):
    context.note_upstream_id("req_7")
    if context.config["model"] == "broken":
        raise ValueError("no")
    return [], [], native, state
`

describe('the id of a request to a model API', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  it('that a provider in Python notes is in its result and in its error', async () => {
    const host = await folder.host([PROVIDER], { provider: 'noting', model: 'one' })
    const done = await host.stream({}, 'hi').result
    expect(done).to.include({ status: 'done', upstreamRequestId: 'req_7' })
    const failed = await host.stream({ model: 'broken' }, 'hi').result
    expect(failed.error).to.include({ upstreamRequestId: 'req_7' })
  })
})
