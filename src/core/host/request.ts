import { randomUUID } from 'node:crypto'
import {
  type ContextItem,
  type EndingEvent,
  HostError,
  type Message,
  type MessagesInput,
  type PartialEvent,
  type StreamEvent,
  toMessages,
  usageFaults,
} from '@braidwork/plugin'
import { limitsOf, toHostError, withFacts } from '@braidwork/plugin/internal'
import { answer, type ChainRequest, type Mode, type Outcome } from '../chain/index.ts'
import type { EventTrail } from '../event-trail.ts'
import { abortError, type Sink, settle } from '../hooks/index.ts'
import { turnFor, turnToBegin } from '../pace.ts'
import type { Resolved } from '../resolve/index.ts'
import { AnswerEvents } from './answer-events.ts'
import type { AskedChanges } from './asked-config.ts'
import { assertOpen, type HostCore, maskError } from './core.ts'
import type { EventSource, EventStream } from './event-stream.ts'
import { type Reported, Reports } from './reports.ts'
import { endingOf, metadataFaults, type Result, retryOf } from './result.ts'
import { LazySignal } from './signals/lazy-signal.ts'

/** Receives warnings and events that plugins send directly, outside the chain. */
export interface Listener {
  /** Adds a sentence to the result's `warnings`. */
  readonly warn: (warning: string) => void
  readonly emit: (event: PartialEvent) => void
  readonly noteUpstreamId?: (id: string) => void
  /** Receives what a plugin puts into a request. */
  readonly report?: (item: ContextItem) => void
}

/** The inputs of one request that are not part of the opened config. */
export interface Asking extends Partial<Listener> {
  readonly messages: readonly Message[]
  readonly signal: AbortSignal
  readonly scope: () => AbortSignal
  readonly requestId: string
  readonly changes?: AskedChanges
  /** Called when the request is prepared, before the provider is asked. */
  readonly onPrepared?: (() => Promise<void>) | undefined
  /** Learns which hook gives which events. */
  readonly trail?: EventTrail
}

/** The members of an opened config that a request uses. */
export interface Opened {
  readonly resolved: Resolved
  requestFor(asking: Asking): Promise<ChainRequest>
}

export interface RequestInput {
  readonly requestId: string
  readonly messages: MessagesInput
  /** Any of these signals cancels the request. */
  readonly signals: readonly (AbortSignal | undefined)[]
  readonly changes?: AskedChanges
  /** Opens the config, or returns one that is already open. */
  readonly open: (listener: Listener, signal: AbortSignal) => Promise<Opened>
  /** Whether a final that asks for another step is an error, because no loop is there to make that step. */
  readonly isAlone?: boolean
  /** Receives what plugins put into the request, before it is sent. */
  readonly onContext?: ((reported: Reported) => void | Promise<void>) | undefined
  /** Receives each warning as it arises. The result has them too. */
  readonly onWarning?: ((warning: string) => void) | undefined
  /** Called when the request is over. */
  readonly onEnd?: () => void
}

/** Creates a request id that nobody can guess. */
export function newRequestId(): string {
  return randomUUID()
}

export type RequestStream = EventStream<StreamEvent, Result>

/** The result of a request, and the events that end its stream. */
interface Ended {
  readonly result: Result
  readonly events: readonly StreamEvent[]
}

/** One request: a single pass through the chain. */
export class HostRequest implements EventSource<StreamEvent, Result> {
  readonly #core: HostCore
  readonly #mode: Mode
  readonly #input: RequestInput
  readonly #events = new AnswerEvents(() => this.#resolved?.plugins.provider.name)
  readonly #warnings: string[] = []
  readonly #cancel = new AbortController()
  readonly #scope = new LazySignal()
  #sink: Sink<readonly StreamEvent[]> = () => undefined
  #resolved: Resolved | undefined
  #isOver = false
  #upstreamId: string | undefined

  constructor(core: HostCore, mode: Mode, input: RequestInput) {
    this.#core = core
    this.#mode = mode
    this.#input = input
  }

  cancel(reason: string): void {
    this.#cancel.abort(reason)
  }

  async run(sink: Sink<readonly StreamEvent[]>): Promise<Result> {
    this.#sink = sink
    await sink([{ type: 'start', requestId: this.#input.requestId }])
    let unlink: () => void = () => undefined
    try {
      assertOpen(this.#core)
      unlink = this.#core.closing.link(this.#cancel, ...this.#input.signals)
      const { signal } = this.#cancel
      if (signal.aborted) throw abortError(signal)
      const request = await settle(this.#begin(), { signal })
      const { result, events } = this.#done(
        await answer(request, this.#mode, this.#events.shownTo(sink)),
      )
      await sink(events)
      return result
    } catch (thrown) {
      const isCancelled = this.#cancel.signal.aborted
      this.#cancel.abort()
      const { result, events } = this.#failed(thrown, isCancelled)
      await sink(events)
      return result
    } finally {
      unlink()
      // Plugins release the values that they keep for this request.
      this.#scope.abort('the request is over')
      this.#input.onEnd?.()
    }
  }

  async #begin(): Promise<ChainRequest> {
    const { open, requestId, changes = {}, onContext, onWarning } = this.#input
    await turnToBegin()
    await turnFor(this.#input.messages)
    // A plugin may add to the list that it is given, or take from it. The caller's list stays as it is.
    const messages = [...toMessages(this.#input.messages)]
    const { signal } = this.#cancel
    const reports = new Reports()
    const listener: Listener = {
      report: reports.add,
      warn: (warning) => {
        this.#warnings.push(warning)
        onWarning?.(warning)
      },
      emit: (event) => this.#emitAtOnce(event),
      noteUpstreamId: (id) => {
        this.#upstreamId = plainId(id)
      },
    }
    const opened = await open(listener, signal)
    this.#resolved = opened.resolved
    const { config } = opened.resolved
    this.#events.begin(limitsOf(config), this.#core.secrets.echoes(config))
    await turnFor(messages)
    const scope = () => this.#scope.signal
    const onPrepared = onContext && (async () => onContext(reports.all))
    const { trail } = this.#events
    const asking = { ...listener, changes, messages, signal, scope, requestId, onPrepared, trail }
    return opened.requestFor(asking)
  }

  #emitAtOnce(event: PartialEvent): void {
    // A plugin may emit after the ending; nobody reads that any more.
    if (this.#isOver) return
    // The provider's finals do not contain emitted events. Only the messages of a failed request, which are built from
    // its events, do.
    const shown = this.#events.emit(event)
    if (this.#mode === 'stream' && shown.length > 0) void this.#sink(shown)
  }

  #done(outcome: Outcome): Ended {
    const messages = this.#events.finalsOf(outcome.finals as readonly Message[])
    this.#events.acceptWhole(messages)
    const ending = endingOf(messages)
    for (const fault of usageFaults(ending.usage)) this.#warnings.push(`usage: ${fault}`)
    this.#warnings.push(...metadataFaults(messages))
    const result: Result = { status: 'done', messages, ...ending, ...this.#about() }
    const retry = this.#input.isAlone ? retryOf(messages) : undefined
    if (retry) {
      this.#events.end(finishOf(result))
      throw new HostError(retry.code, retry.message, { phase: 'finals' })
    }
    const closing = this.#events.closeParts()
    const finish = finishOf(result)
    const fault = this.#events.faultOf(finish)
    if (fault) throw fault
    this.#isOver = true
    return { result, events: [...closing, finish] }
  }

  /** Ends a request that threw. A cancelled request ends as aborted, whatever it threw. */
  #failed(thrown: unknown, isAborted: boolean): Ended {
    const cause = isAborted ? abortError(this.#cancel.signal) : thrown
    const error = maskError(
      this.#core,
      this.#resolved?.config ?? this.#core.config,
      this.#withUpstreamId(this.#events.trail.blamedFor(toHostError(cause))),
    )
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
      ...this.#about(),
      error,
    }
    return { result, events }
  }

  #withUpstreamId(error: HostError): HostError {
    const upstreamRequestId = this.#upstreamId
    return upstreamRequestId === undefined ? error : withFacts(error, { upstreamRequestId })
  }

  #about(): Pick<Result, 'warnings' | 'upstreamRequestId'> {
    const id = this.#upstreamId
    const warnings = [...this.#warnings]
    return id === undefined ? { warnings } : { warnings, upstreamRequestId: id }
  }
}

function finishOf({ finishReason, usage, messages }: Result): EndingEvent {
  return { type: 'finish', finishReason, usage, messages }
}

/** The most characters of an id of a model API that are kept. */
const LONGEST_ID = 200

/** An id of a model API, without characters that could change how a log is shown. */
function plainId(id: string): string | undefined {
  return id.replaceAll(/[^\w.:/+=-]/g, '').slice(0, LONGEST_ID) || undefined
}
