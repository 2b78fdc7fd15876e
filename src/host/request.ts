import { randomUUID } from 'node:crypto'
import { answer, type Mode, type Outcome } from '../chain/answer.ts'
import type { ChainRequest } from '../chain/request.ts'
import { HostError, toHostError } from '../errors.ts'
import {
  Accumulator,
  type EndingEvent,
  EventChecker,
  type Message,
  type MessagesInput,
  type PartialEvent,
  type StreamEvent,
  toMessages,
  usageFaults,
} from '../events/index.ts'
import { abortError, type Config, type ContextOf, settle } from '../plugin/internal.ts'
import type { Resolved } from '../resolve/index.ts'
import { settingsFaults } from '../schema/check-config.ts'
import type { CallerTool } from '../schema/offered-tools.ts'
import { checkHistory } from './check-history.ts'
import { hostContexts } from './contexts.ts'
import { assertOpen, configFor, type HostCore, maskError, resolveFor } from './core.ts'
import { type EventSource, EventStream } from './event-stream.ts'
import { linkSignals } from './link-signals.ts'
import { modelInfoOf } from './model-info.ts'
import { endingOf, type Result, retryOf } from './result.ts'

/** What a request may bring beside config and messages. */
export interface RequestOptions {
  readonly signal?: AbortSignal
  /** Tools of the caller, offered after the plugins'. */
  readonly tools?: readonly CallerTool[]
  readonly conversationId?: string
}

/** What a run, the caller of several requests, adds. */
export interface StepOptions extends RequestOptions {
  readonly runId?: string
  /** A final that asks for another step is the run's business, not an error. */
  readonly keepsRetry?: boolean
}

export interface RequestInput {
  /** Not checked yet. */
  readonly config: unknown
  readonly messages: MessagesInput
  readonly options: StepOptions
}

/** What is known of a request once its plugins are worked out; the run executes tools by it. */
export interface OpenRequest {
  readonly resolved: Resolved
  readonly contextOf: ContextOf
  readonly outcome?: Outcome
}

export type RequestStream = EventStream<StreamEvent, Result>

/** One trip through the chain, as events and a result; `current` has what the trip has come to. */
export class HostRequest {
  readonly requestId = randomUUID()
  readonly stream: RequestStream
  readonly #core: HostCore
  readonly #mode: Mode
  readonly #options: StepOptions
  readonly #checker = new EventChecker()
  readonly #accumulator = new Accumulator()
  readonly #warnings: string[] = []
  readonly #cancel = new AbortController()
  #scope: AbortController | undefined
  #emit: (event: StreamEvent) => void = () => undefined
  #config: Config
  #open: OpenRequest | undefined
  #isOver = false

  constructor(core: HostCore, mode: Mode, { config, messages, options }: RequestInput) {
    this.#core = core
    this.#mode = mode
    this.#options = options
    this.#config = core.config
    this.stream = new EventStream((emit): EventSource<StreamEvent, Result> => {
      this.#emit = emit
      return {
        batches: this.#run(config, messages),
        cancel: (reason) => this.#cancel.abort(reason),
      }
    })
  }

  get current(): OpenRequest | undefined {
    return this.#open
  }

  /** What was kept for the request goes; in a run, once its tools were run. */
  end(): void {
    this.#open = undefined
    // A reason of its own: the default one would take a stack trace for nobody.
    this.#scope?.abort('the request is over')
  }

  /** Aborts when the request is over; most requests need none. */
  #openScope(): AbortSignal {
    this.#scope ??= new AbortController()
    return this.#scope.signal
  }

  async *#run(
    given: unknown,
    messages: MessagesInput,
  ): AsyncGenerator<readonly StreamEvent[], Result, undefined> {
    yield [{ type: 'start', requestId: this.requestId }]
    let unlink: () => void = () => undefined
    let run: ReturnType<typeof answer> | undefined
    try {
      assertOpen(this.#core)
      unlink = linkSignals([this.#options.signal, this.#core.closing], this.#cancel)
      const { signal } = this.#cancel
      if (signal.aborted) throw abortError(signal)
      run = answer(await settle(this.#begin(given, messages), { signal }), this.#mode)
      let next = await run.next()
      for (; !next.done; next = await run.next()) {
        const { events, fault } = this.#accept(next.value)
        if (events.length > 0) yield events
        if (fault) throw fault
      }
      const result = this.#done(next.value)
      yield [finishOf(result)]
      return result
    } catch (thrown) {
      const isCancelled = this.#cancel.signal.aborted
      this.#cancel.abort()
      // Not awaited: a provider that hangs while it is closed must not hold up the ending.
      void run?.return(undefined as never)
      const { result, events } = this.#failed(thrown, isCancelled)
      yield events
      return result
    } finally {
      unlink()
      // What plugins kept for this request goes with it; a run still executes tools by it. CONTRACT 1
      if (!this.#options.keepsRetry) this.end()
    }
  }

  async #begin(given: unknown, input: MessagesInput): Promise<ChainRequest> {
    const messages = toMessages(input)
    this.#config = configFor(this.#core, given)
    const resolved = await resolveFor(this.#core, this.#config)
    this.#config = resolved.config
    checkHistory(messages, resolved)
    const { provider, extensions, features, tools } = resolved.plugins
    const [fault] = await settingsFaults(resolved.config, [
      provider,
      ...extensions,
      ...features,
      ...tools,
    ])
    if (fault) throw fault
    const modelInfo = await modelInfoOf(this.#core, resolved)
    const { conversationId, runId } = this.#options
    const scopeOf = () => this.#openScope()
    const contextOf = hostContexts({
      core: this.#core,
      resolved,
      modelInfo,
      signal: this.#cancel.signal,
      get scope() {
        return scopeOf()
      },
      requestId: this.requestId,
      conversationId,
      runId,
      warn: (warning) => this.#warnings.push(warning),
      emit: (event) => this.#emitAtOnce(event),
    })
    this.#open = { resolved, contextOf }
    return {
      plugins: resolved.plugins,
      config: resolved.config,
      messages,
      tools: this.#options.tools ?? [],
      signal: this.#cancel.signal,
      contextOf,
      configOf: (plugin) => this.#core.secrets.viewOf(resolved.config, plugin),
      partials: 'events',
    }
  }

  #emitAtOnce(event: PartialEvent): void {
    // A plugin that works on after the ending has no reader any more.
    if (this.#isOver) return
    this.#checker.check(event, 'plugin')
    // In no final; but where none comes, it is part of what had arrived.
    this.#accumulator.add(event)
    if (this.#mode === 'stream') this.#emit(event)
  }

  /** Checks and gathers events; those before a fault are good, and are shown. */
  #accept(partials: readonly unknown[]): Accepted {
    const events = partials as readonly PartialEvent[]
    let index = 0
    try {
      for (; index < events.length; index++) {
        const event = events[index] as PartialEvent
        this.#checker.check(event, 'plugin')
        this.#accumulator.add(event)
      }
      return { events }
    } catch (error) {
      return { events: events.slice(0, index), fault: this.#toFault(error) }
    }
  }

  /** The checker's verdict on an event of the host's own. */
  #faultOf(event: StreamEvent): HostError | undefined {
    try {
      this.#checker.check(event)
      return undefined
    } catch (error) {
      return this.#toFault(error)
    }
  }

  /** A fault of the checker's, with the provider that it falls on. */
  #toFault(error: unknown): HostError {
    const plugin = this.#open?.resolved.resolution.provider
    return toHostError(error, { plugin, provider: plugin, hook: 'processChunk', phase: 'partials' })
  }

  #done(outcome: Outcome): Result {
    const open = this.#open
    if (open) this.#open = { ...open, outcome }
    const messages = outcome.finals as readonly Message[]
    const ending = endingOf(messages)
    for (const fault of usageFaults(ending.usage)) this.#warnings.push(`usage: ${fault}`)
    const result: Result = { status: 'done', messages, ...ending, warnings: [...this.#warnings] }
    const retry = this.#options.keepsRetry ? undefined : retryOf(messages)
    if (retry) {
      this.#accumulator.add(finishOf(result))
      throw new HostError(retry.code, retry.message, { phase: 'finals' })
    }
    const fault = this.#faultOf(finishOf(result))
    if (fault) throw fault
    this.#isOver = true
    return result
  }

  /** Whatever a cancelled request threw, it is aborted; and none is that nobody cancelled. */
  #failed(thrown: unknown, isAborted: boolean): { result: Result; events: readonly StreamEvent[] } {
    const cause = isAborted ? abortError(this.#cancel.signal) : thrown
    const error = maskError(this.#core, this.#config, toHostError(cause))
    this.#isOver = true
    const ending: EndingEvent = isAborted
      ? { type: 'abort', reason: error.message }
      : { type: 'error', error: error.toJSON() }
    const events: StreamEvent[] = [...this.#checker.closing(), ending]
    for (const event of events) this.#accumulator.add(event)
    const messages = this.#accumulator.messages()
    const result: Result = {
      status: isAborted ? 'aborted' : 'failed',
      messages,
      usage: endingOf(messages).usage,
      finishReason: isAborted ? 'other' : 'error',
      warnings: [...this.#warnings],
      error,
    }
    return { result, events }
  }
}

interface Accepted {
  readonly events: readonly PartialEvent[]
  readonly fault?: HostError
}

function finishOf({ finishReason, usage, messages }: Result): StreamEvent {
  return { type: 'finish', finishReason, usage, messages }
}
