import { type CallerTool, type ConfigLayer, mergeLayers, type ResultStatus } from '@braidwork/core'
import {
  HostError,
  isEnding,
  type Message,
  type MessagesInput,
  type PartialEvent,
  type StreamEvent,
  type Usage,
} from '@braidwork/plugin'
import { ANSWERING } from '../answering-provider.ts'
import { TRIAL_OPTIONS, Trial, type TrialOptions } from '../trial.ts'
import type { HookCall } from '../watched-plugin.ts'
import { ApiServer, type Mood, type RecordedApi } from './model-api.ts'
import { SCENE, type Sent, sceneProvider } from './scene-provider.ts'

/** What a model API may lack. */
export type Lacking = 'tools' | 'images' | 'usage' | 'finishReason'

/** The surroundings in which a suite tests a plugin. */
export interface SuiteOptions extends TrialOptions {
  /** For an extension: texts of answers, with the words that it looks for. The suite splits them at every character. */
  readonly answers?: string | readonly string[]
  /** For a provider of an HTTP API: an exchange with the API, which the suite repeats on loopback. */
  readonly api?: RecordedApi
  /** What the model API of a provider does not have, so that it is not checked. */
  readonly lacks?: readonly Lacking[]
}

export const SUITE_OPTIONS = [
  ...TRIAL_OPTIONS,
  'answers',
  'api',
  'lacks',
] satisfies (keyof SuiteOptions)[]

/** A request of a check. */
export interface Question {
  /** The answer of the test provider, by name; the default is `plain`. */
  readonly answer?: string
  readonly messages?: MessagesInput
  readonly tools?: readonly CallerTool[]
  readonly signal?: AbortSignal
  readonly mood?: Mood
}

/** The result of a request, and what the plugin did for it. */
export type Asked = ResultStatus & {
  readonly messages: readonly Message[]
  readonly usage: Usage
  readonly finishReason: string
  /** The events between start and ending. Empty for a whole answer. */
  readonly events: readonly PartialEvent[]
  readonly calls: readonly HookCall[]
  /** What the test provider was sent. */
  readonly sent: readonly Sent[]
  /** What the API on loopback was sent. */
  readonly bodies: readonly string[]
}

type Mode = 'send' | 'stream'

/** The one host of a suite. Requests that several checks need are made once. */
export class Harness {
  readonly trial: Trial
  /** The plugin as the suite was given it: an object, or a path or a name. */
  readonly given: unknown
  readonly options: SuiteOptions
  readonly calls: readonly HookCall[]
  readonly api: ApiServer | undefined
  /** Work that did not end in time, which a check has reported. */
  readonly stuck = new Set<Promise<unknown>>()
  readonly #sent: readonly Sent[]
  readonly #known = new Map<string, Promise<Asked>>()
  #on: Promise<boolean> | undefined
  #closed: Promise<void> | undefined

  private constructor(
    { trial, given }: { readonly trial: Trial; readonly given: unknown },
    options: SuiteOptions,
    noted: { readonly calls: readonly HookCall[]; readonly sent: readonly Sent[] },
    api: ApiServer | undefined,
  ) {
    this.trial = trial
    this.given = given
    this.options = options
    this.calls = noted.calls
    this.#sent = noted.sent
    this.api = api
  }

  /** @throws {PluginFault} if a host refuses the plugin or reports faults in it */
  static async open(given: unknown, options: SuiteOptions): Promise<Harness> {
    const calls: HookCall[] = []
    const sent: Sent[] = []
    const api = options.api && (await ApiServer.start(options.api))
    const own = options.api && api ? options.api.config(api.url) : {}
    const config = mergeLayers(options.config ?? {}, own)
    const provider = sceneProvider(ANSWERING, options.tags ?? [], sent)
    try {
      const trial = await Trial.open(given, { ...options, config }, { provider, calls })
      return new Harness({ trial, given }, options, { calls, sent }, api)
    } catch (error) {
      await api?.close()
      throw error
    }
  }

  get name(): string {
    return this.trial.plugin.name
  }

  /** Whether the plugin has a hook. */
  has(hook: string): boolean {
    return typeof this.trial.plugin[hook] === 'function'
  }

  /** Whether the plugin is on for its config. */
  isOn(): Promise<boolean> {
    const { host, plugin, config } = this.trial
    this.#on ??= host.resolve(config).then(
      ({ provider, enabled: { extensions, features, tools } }) =>
        [provider, ...extensions, ...features, ...tools].includes(plugin.name),
      () => false,
    )
    return this.#on
  }

  /** The config of a request. */
  configFor({ answer }: Question): ConfigLayer {
    const { config } = this.trial
    return answer === undefined ? config : { ...config, [SCENE]: answer }
  }

  /** Makes a request, or returns its result if it was made before. */
  async ask(mode: Mode, question: Question = {}): Promise<Asked> {
    const key = JSON.stringify([mode, { ...question, signal: undefined }])
    const known = this.#known.get(key)
    if (known) return known
    const asked = this.again(mode, question)
    this.#known.set(key, asked)
    return asked
  }

  /** Makes a request. */
  async again(mode: Mode, question: Question = {}): Promise<Asked> {
    const [calls, sent, bodies] = [this.calls.length, this.#sent.length, this.api?.bodies.length]
    if (this.api) this.api.mood = question.mood ?? {}
    const ended = await (mode === 'send' ? this.#send(question) : this.#stream(question))
    return {
      ...ended,
      calls: this.calls.slice(calls),
      sent: this.#sent.slice(sent),
      bodies: this.api?.bodies.slice(bodies) ?? [],
    }
  }

  /** Starts a stream, for checks that cancel it. */
  open(question: Question) {
    const { host, options } = this.trial
    const { messages = options.messages ?? 'Hello', tools, signal } = question
    return host.stream(this.configFor(question), messages, {
      ...(tools ? { tools } : {}),
      ...(signal ? { signal } : {}),
    })
  }

  async #stream(question: Question) {
    const stream = this.open(question)
    const events: PartialEvent[] = []
    for await (const event of stream) if (isPartial(event)) events.push(event)
    return { ...(await stream.result), events }
  }

  async #send(question: Question) {
    const { host, options } = this.trial
    const { messages = options.messages ?? 'Hello', tools, signal } = question
    const asking = { ...(tools ? { tools } : {}), ...(signal ? { signal } : {}) }
    try {
      const result = await host.send(this.configFor(question), messages, asking)
      return { ...result, events: [] }
    } catch (error) {
      if (!HostError.is(error)) throw error
      const status = error.code === 'ABORTED' ? 'aborted' : 'failed'
      return { ...NOTHING, status, error } as const
    }
  }

  /** Closes the host and the server, once. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    try {
      await this.trial.close()
    } finally {
      await this.api?.close()
    }
  }
}

const NOTHING = { messages: [], usage: {}, finishReason: 'error', events: [] } as const

function isPartial(event: StreamEvent): event is PartialEvent {
  return event.type !== 'start' && !isEnding(event)
}
