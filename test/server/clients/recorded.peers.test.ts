import { expect } from 'chai'
import { needsPeer } from '../../helpers/peer-scripts.ts'
import { IS_EXHAUSTIVE } from '../../hostile/answers.ts'
import { askClient, type ThreadSeen } from '../wire/ag-ui/ag-ui-clients.ts'
import {
  askClients,
  type ClientAnswer,
  needsClients,
} from '../wire/ui-message-stream/chat-clients.ts'
import { functionOf, RecordedServer, shownCall } from './recorded-server.ts'

const VERSION = 7

describe('recorded answers through provider, server and client', function () {
  this.timeout(IS_EXHAUSTIVE ? 300_000 : 60_000)
  let served: RecordedServer
  before(async () => {
    served = await RecordedServer.start()
  })
  after(() => served?.close())

  it('reach the client of AG-UI', async function () {
    needsPeer(this, '@ag-ui/client')
    const threads: ReadonlyMap<string, ThreadSeen> = await askClient(
      served.subjects.map(({ model, tools }) => {
        const own = tools.map((name) => ({ ...functionOf(name).function }))
        const add = [{ id: 'u1', role: 'user', content: 'Hello' }]
        const run = { add, tools: own, forwardedProps: { agent: model } }
        return { name: model, url: `${served.url}/ag-ui`, threadId: `ag-${model}`, runs: [run] }
      }),
    )
    await served.compare(this, async ({ model, tools }) => {
      const { messages, outcomes, errors, faults } = threads.get(model)!
      expect({ errors, faults }).to.deep.equal({ errors: [], faults: [] })
      const textsOf = (role: string) =>
        messages.map((one) => (one.role === role ? (one.content ?? '') : '')).join('')
      const [usage] = outcomes.flatMap(({ usage: of }) => of as { [count: string]: number }[])
      return {
        text: textsOf('assistant'),
        reasoning: textsOf('reasoning'),
        calls: messages
          .flatMap(({ toolCalls = [] }) => toolCalls.map(({ function: called }) => called))
          .filter(({ name }) => tools.includes(name))
          .map(({ name, arguments: given }) => shownCall(name, given)),
        usage: [usage?.['inputTokens'] ?? 0, usage?.['outputTokens'] ?? 0],
      }
    })
  })

  it('reach a chat of the AI SDK', async function () {
    needsClients(this)
    const messages = [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }]
    const chats: ReadonlyMap<string, ClientAnswer> = await askClients(
      served.subjects.map(({ model, tools }) => {
        const own = tools.map((name) => [name, { parameters: { type: 'object' } }])
        const body = { agent: model, tools: Object.fromEntries(own) as object }
        const url = `${served.url}/api/chat?sdk=${VERSION}`
        const job = { kind: 'read', version: VERSION, id: `ui-${model}` } as const
        return { ...job, name: model, url, messages, body }
      }),
    )
    await served.compare(this, async ({ model }) => {
      const { message, thrown, errors, faults } = chats.get(model)!
      expect({ thrown, errors, faults }).to.deep.equal({
        thrown: undefined,
        errors: [],
        faults: [],
      })
      const { parts, metadata } = message!
      const textsOf = (kind: string) =>
        parts.map(({ type, text }) => (type === kind ? String(text) : '')).join('')
      const usage = metadata?.['usage'] as { readonly input?: number; readonly output?: number }
      return {
        text: textsOf('text'),
        reasoning: textsOf('reasoning'),
        calls: parts.flatMap(({ type, input }) =>
          type.startsWith('tool-') ? [shownCall(type.slice(5), JSON.stringify(input))] : [],
        ),
        usage: [usage.input ?? 0, usage.output ?? 0],
      }
    })
  })
})
