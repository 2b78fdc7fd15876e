import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { schema, tool } from '../helpers/plugins.ts'
import { SERVED } from './clients/scripts.ts'
import { chatBody, Served, user } from './routes/served.ts'

const LOCATE = { locate: { parameters: { type: 'object', properties: {} } } }

describe('a message of the AI SDK that ends on calls', () => {
  let served: Served
  beforeEach(async () => {
    const { models } = SERVED.server
    const short = { config: { limits: { max_rounds: 1 } } }
    served = await Served.start({ models: { ...models, short } })
  })
  afterEach(() => served.close())

  const say = async (text: string, sdk: number) => {
    const body = chatBody('c1', [user('u1', text)], { agent: 'short', tools: LOCATE })
    const answer = await served.ask(`/api/chat?sdk=${sdk}`, { body })
    return [...answer.text.matchAll(/"type":"([a-z-]+)"/g)].map(([, type]) => type)
  }
  const last = async () => (await served.history('c1')).at(-1)?.parts.at(-1)

  for (const sdk of [5, 6, 7]) {
    it(`has an empty step behind results of all calls, in version ${sdk}`, async () => {
      const types = await say('calculate', sdk)
      expect(types.slice(-5)).to.deep.equal([
        'tool-output-available',
        'finish-step',
        'start-step',
        'finish-step',
        'finish',
      ])
      expect(await last()).to.deep.equal({ type: 'step-start' })
    })
  }

  it('has the step also where the run was stopped in a call, and the client is made to show it', async () => {
    await served.close()
    let begun = () => {}
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    const wait = tool('calculate', {
      getToolSchemas: () => [schema('calculate')],
      executeTool: (_: unknown, _state: unknown, { signal }: { signal: AbortSignal }) => {
        begun()
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        )
      },
    })
    served = await Served.start({}, { plugins: [scripted, wait] })
    const asked = served.ask('/api/chat?sdk=7', { body: chatBody('c1', [user('u1', 'calculate')]) })
    await isBegun
    await served.ask('/api/chat/c1/stop', { body: {} })
    const types = [...(await asked).text.matchAll(/\{"type":"([a-z-]+)"/g)].map(([, type]) => type)
    expect(types.slice(-6)).to.deep.equal([
      'tool-output-error',
      'finish-step',
      'start-step',
      'finish-step',
      'message-metadata',
      'abort',
    ])
  })

  it('has none behind a call that the client has to answer', async () => {
    const types = await say('both', 7)
    expect(types.filter((type) => type === 'start-step')).to.have.length(1)
    expect((await last())?.type).to.equal('tool-locate')
  })

  it('has none behind a text', async () => {
    const types = await say('hello', 7)
    expect(types.filter((type) => type === 'start-step')).to.have.length(1)
    expect((await last())?.type).to.equal('text')
  })
})
