import { expect } from 'chai'
import { eventProvider, tool } from '../helpers/plugins.ts'
import { Served } from './routes/served.ts'

const ANSWER = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'hi' },
  { type: 'text-end', id: 't' },
]

/** A config, as a provider has it. */
interface Asked {
  readonly tools?: readonly { readonly name: string }[]
}

describe('lists of plugins that change those of the host', () => {
  let served: Served
  let asked: Asked[]

  beforeEach(async () => {
    asked = []
    const init = (config: Asked) => {
      asked.push(config)
      return {}
    }
    const plugins = [
      eventProvider(ANSWER, { tags: ['tools'], init }),
      tool('shell', { schemas: ['run_command'] }),
      tool('search', { schemas: ['find'] }),
      tool('clock', { schemas: ['now'] }),
      tool('extra', { schemas: ['more'], defaultEnabled: false }),
      tool('hosted', { schemas: ['own'], defaultEnabled: false }),
    ]
    const config = { disabled_plugins: ['shell'], enabled_plugins: ['hosted'] }
    const models = {
      writer: { config: { disabled_plugins: { add: ['search'] } } },
      other: { config: { disabled_plugins: ['search'] } },
    }
    served = await Served.start({ models }, { plugins, config })
  })
  afterEach(() => served.close())

  const toolsOf = async (model: string): Promise<readonly string[]> => {
    const messages = [{ role: 'user', content: 'hi' }]
    const body = { model, messages }
    const { status, text } = await served.ask('/v1/chat/completions', { body })
    expect(status, text).to.equal(200)
    return (asked.at(-1)?.tools ?? []).map(({ name }) => name).sort()
  }
  const listed = async (model: string): Promise<readonly string[]> => {
    const { text } = await served.ask(`/api/tools?agent=${model}`)
    const { tools } = JSON.parse(text) as { tools: { name: string }[] }
    return tools.map(({ name }) => name).sort()
  }

  it('add to it where a published model says "add", and replace it where it gives a list', async () => {
    expect(await toolsOf('writer')).to.deep.equal(['now', 'own'])
    expect(await listed('writer')).to.deep.equal(['now', 'own'])
    expect(await toolsOf('other')).to.deep.equal(['now', 'own', 'run_command'])
    expect(await listed('other')).to.deep.equal(['now', 'own', 'run_command'])
  })

  it('leave the plain model without tools', async () => {
    expect(await toolsOf('writer-plain')).to.deep.equal([])
    expect(await listed('writer-plain')).to.deep.equal([])
  })
})
