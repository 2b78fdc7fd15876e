import { randomUUID } from 'node:crypto'
import { answer, type Mode, type Outcome, type Show } from '../chain/answer.ts'
import type { ChainRequest } from '../chain/request.ts'
import { HostError, toHostError } from '../errors.ts'
import {
  type EndingEvent,
  type Message,
  type MessagesInput,
  type PartialEvent,
  type StreamEvent,
  toMessages,
  usageFaults,
} from '../events/index.ts'
import { turnFor } from '../pace.ts'
import {
  abortError,
  type Config,
  type ContextOf,
  limitsOf,
  type ModelInfo,
  settle,
} from '../plugin/internal.ts'
import type { Resolved } from '../resolve/index.ts'
import { checkSettings } from '../schema/check-config.ts'
import type { CallerTool } from '../schema/offered-tools.ts'
import { AnswerEvents } from './answer-events.ts'
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
  /** What is known of the model that is asked; nothing where none is. */
  readonly modelInfo?: ModelInfo
  readonly outcome?: Outcome
}

export type RequestStream = EventStream<StreamEvent, Result>

/** One trip through the chain, as events and a result, for one reader. */
export function requestStream(core: HostCore, mode: Mode, input: RequestInput): RequestStream {
  return new EventStream(new HostRequest(core, mode, input), (event) => event)
}

/** One trip through the chain; `current` has what the trip has come to. */
export class HostRequest implements EventSource<StreamEvent, Result> {
  readonly requestId = randomUUID()
  readonly #core: HostCore
  readonly #mode: Mode
  readonly #options: StepOptions
  readonly #given: unknown
  readonly #messages: MessagesInput
  readonly #events = new AnswerEvents(() => this.#open?.resolved.resolution.provider)
  readonly #warnings: string[] = []
  readonly #cancel = new AbortController()
  #scope: AbortController | undefined
  #show: Show<StreamEvent> = () => undefined
  #config: Config
  #open: OpenRequest | undefined
  #isOver = false

  constructor(core: HostCore, mode: Mode, { config, messages, options }: RequestInput) {
    this.#core = core
    this.#mode = mode
    this.#options = options
    this.#given = config
    this.#messages = messages
    this.#config = core.config
  }

  cancel(reason: string): void {
    this.#cancel.abort(reason)
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

  async run(show: Show<StreamEvent>): Promise<Result> {
    this.#show = show
    await show([{ type: 'start', requestId: this.requestId }])
    let unlink: () => void = () => undefined
    try {
      assertOpen(this.#core)
      unlink = linkSignals([this.#options.signal, this.#core.closing], this.#cancel)
      const { signal } = this.#cancel
      if (signal.aborted) throw abortError(signal)
      const request = await settle(this.#begin(), { signal })
      const result = this.#done(await answer(request, this.#mode, this.#accept))
      await show([finishOf(result)])
      return result
    } catch (thrown) {
      const isCancelled = this.#cancel.signal.aborted
      this.#cancel.abort()
      const { result, events } = this.#failed(thrown, isCancelled)
      await show(events)
      return result
    } finally {
      unlink()
      // What plugins kept for this request goes with it; a run still executes tools by it. CONTRACT 1
      if (!this.#options.keepsRetry) this.end()
    }
  }

  async #begin(): Promise<ChainRequest> {
    await turnFor(this.#messages, this.#options.tools)
    const messages = toMessages(this.#messages)
    this.#config = configFor(this.#core, this.#given)
    const resolved = await resolveFor(this.#core, this.#config)
    this.#config = resolved.config
    await turnFor(messages)
    checkHistory(messages, resolved)
    const { provider, extensions, features, tools } = resolved.plugins
    await checkSettings(resolved.config, [provider, ...extensions, ...features, ...tools])
    const { config } = resolved
    this.#events.begin(limitsOf(config), this.#core.secrets.echoes(config))
    const modelInfo = await modelInfoOf(this.#core, resolved)
    const { conversationId, runId } = this.#options
    const contextOf = hostContexts({
      core: this.#core,
      resolved,
      modelInfo,
      signal: this.#cancel.signal,
      scope: () => this.#openScope(),
      requestId: this.requestId,
      conversationId,
      runId,
      warn: (warning) => this.#warnings.push(warning),
      emit: (event) => this.#emitAtOnce(event),
    })
    this.#open = { resolved, contextOf, modelInfo }
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

  /** Shows what may be; what is wrong fails the request when what comes before it has been shown. */
  readonly #accept: Show<unknown> = (partials) => {
    const { events, fault } = this.#events.accept(partials)
    const shown = events.length > 0 ? this.#show(events) : undefined
    if (!fault) return shown
    if (!shown) throw fault
    return shown.then(() => {
      throw fault
    })
  }

  #emitAtOnce(event: PartialEvent): void {
    // A plugin that works on after the ending has no reader any more.
    if (this.#isOver) return
    // In no final; but where none comes, it is part of what had arrived.
    const shown = this.#events.emit(event)
    if (this.#mode === 'stream' && shown.length > 0) void this.#show(shown)
  }

  #done(outcome: Outcome): Result {
    const open = this.#open
    const messages = this.#events.finalsOf(outcome.finals as readonly Message[])
    if (open) this.#open = { ...open, outcome: { ...outcome, finals: messages } }
    this.#events.acceptWhole(messages)
    const ending = endingOf(messages)
    for (const fault of usageFaults(ending.usage)) this.#warnings.push(`usage: ${fault}`)
    const result: Result = { status: 'done', messages, ...ending, warnings: [...this.#warnings] }
    const retry = this.#options.keepsRetry ? undefined : retryOf(messages)
    if (retry) {
      this.#events.end(finishOf(result))
      throw new HostError(retry.code, retry.message, { phase: 'finals' })
    }
    const fault = this.#events.faultOf(finishOf(result))
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
    const events = this.#events.breakOff(ending)
    const messages = this.#events.messages()
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

function finishOf({ finishReason, usage, messages }: Result): EndingEvent {
  return { type: 'finish', finishReason, usage, messages }
}
