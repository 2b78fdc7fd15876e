import scripted from '../../../providers/scripted/index.ts'
import {
  type AgentEnvironment,
  type AgentRuntime,
  type AgentSpec,
  type BackendFactory,
  createRuntime,
  type EnvironmentHook,
  type ModelSpec,
  type RuntimeTool,
} from '../../../src/agent/index.ts'
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

  readonly runtime: AgentRuntime

  private constructor(
    { served, runtime }: { readonly served: Served; readonly runtime: AgentRuntime },
    sent: Sent[],
    logged: AgentServer['logged'],
  ) {
    this.served = served
    this.runtime = runtime
    this.sent = sent
    this.logged = logged
  }

  static async start(
    agents: readonly AgentSpec[] = [],
    {
      models = [],
      backends = [],
      hooks = [],
      tools = [],
      surroundings = {},
      own = {},
      ...options
    }: Omit<Partial<ServerOptions>, 'models' | 'host'> & {
      readonly models?: readonly ModelSpec[]
      readonly backends?: readonly BackendFactory[]
      readonly hooks?: readonly EnvironmentHook[]
      readonly tools?: readonly RuntimeTool[]
      /** The environment of the runtime. */
      readonly surroundings?: AgentEnvironment
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
    let runtime: AgentRuntime | undefined
    const served = await Served.start(
      { models: { plain: {} }, log, ...options },
      { plugins, config, ...own },
      async (host) => {
        const around = { backends, hooks, environment: surroundings }
        runtime = await createRuntime({ host, agents, models, ...around })
        for (const tool of tools) runtime.addTool(tool)
        return { runtime }
      },
    )
    if (!runtime) throw new Error('The server has no runtime.')
    return new AgentServer({ served, runtime }, sent, logged)
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
