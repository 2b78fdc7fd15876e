import scripted from '../../../providers/scripted/index.ts'
import { type AgentSpec, createRuntime, type ModelSpec } from '../../../src/agent/index.ts'
import type { HostOptions } from '../../../src/core/index.ts'
import type { Config, Message } from '../../../src/plugin/index.ts'
import type { ServerOptions } from '../../../src/server/index.ts'
import calculator from '../../../tools/calculator/index.ts'
import clock from '../../../tools/clock/index.ts'
import { feature } from '../../helpers/plugins.ts'
import { type Asked, chatBody, Served, user } from '../routes/served.ts'

/** What the model is sent in a request. */
export interface Sent {
  readonly messages: readonly Message[]
  readonly tools: readonly string[]
  readonly temperature: unknown
  readonly contextWindow: unknown
}

/** Calls the calculator once, then says what it gave. */
const SCRIPT = [
  {
    when: { step: 1 },
    then: { tool_calls: [{ name: 'calculate', input: { expression: '6 * 7' } }] },
  },
  { then: { text: 'Done.' } },
]
const config = { provider: 'scripted', settings: { scripted: { script: SCRIPT, delay_ms: 0 } } }

/** A server whose requests to models are watched. */
export class AgentServer {
  readonly served: Served
  readonly sent: Sent[]
  readonly logged: { readonly level: string; readonly message: string; readonly code?: unknown }[]

  private constructor(served: Served, sent: Sent[], logged: AgentServer['logged']) {
    this.served = served
    this.sent = sent
    this.logged = logged
  }

  static async start(
    agents: readonly AgentSpec[] = [],
    {
      models = [],
      own = {},
      ...options
    }: Omit<Partial<ServerOptions>, 'models' | 'host'> & {
      readonly models?: readonly ModelSpec[]
      readonly own?: Partial<HostOptions>
    } = {},
  ): Promise<AgentServer> {
    const sent: Sent[] = []
    const logged: AgentServer['logged'] = []
    let now: Config = {}
    const watcher = {
      ...feature('watcher'),
      init: (own: Config, state: object) => {
        now = own
        return state
      },
      editMessages: (
        messages: readonly Message[],
        _: unknown,
        { modelInfo: { contextWindow } }: { modelInfo: { contextWindow?: unknown } },
      ) => {
        const { tools = [], temperature } = now
        const names = tools.map((tool) => String(Object(tool).name))
        sent.push({ messages, tools: names, temperature, contextWindow })
        return messages
      },
    }
    const off = feature('extra', { defaultEnabled: false })
    const plugins = [scripted, calculator, clock, watcher, off]
    const log: ServerOptions['log'] = (line) => void logged.push(line)
    const served = await Served.start(
      { models: { plain: {} }, log, ...options },
      { plugins, config, ...own },
      async (host) => ({ runtime: await createRuntime({ host, agents, models }) }),
    )
    return new AgentServer(served, sent, logged)
  }

  /** Asks an agent in a conversation, as a chat page does. */
  chat(agent: string, id = 'talk', text = 'go') {
    return this.served.ask('/api/chat', { body: chatBody(id, [user(`q-${id}`, text)], { agent }) })
  }

  put(path: string, body: object, as: Asked['as'] = 'ada') {
    return this.served.ask(path, { method: 'PUT', body, as })
  }

  /** The texts of the system messages of a request to a model. */
  systemOf(at = 0): readonly string[] {
    const { messages } = this.sent[at] ?? { messages: [] }
    return messages
      .filter(({ role }) => role === 'system')
      .map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join(''))
  }

  close(): Promise<void> {
    return this.served.close()
  }
}
