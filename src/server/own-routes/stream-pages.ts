import type { RunStream } from '@braidwork/agent'
import type { RequestStream } from '@braidwork/core'
import type { Sink } from '@braidwork/core/internal'
import type { RunEvent, RunEventBody, StreamEvent } from '@braidwork/plugin'
import type { EventPages, Page } from '../event-body.ts'

/** The events of `run`, or of `host.stream`. */
export type AnswerStream = RunStream | RequestStream

/** The events of a stream as the events of a run, in pages of what has come together. */
export class StreamPages implements EventPages {
  readonly #events: AsyncIterator<RunEvent | StreamEvent, undefined>
  #request: RequestEvents | undefined

  constructor(stream: AnswerStream) {
    this.#events = stream[Symbol.asyncIterator]()
  }

  async next(): Promise<Page> {
    const { value } = await this.#events.next()
    if (value === undefined) return { done: true, value: undefined }
    if (isOfRun(value)) return { done: false, value: [value] }
    this.#request ??= new RequestEvents()
    return { done: false, value: this.#request.of(value) }
  }

  async pipeTo(sink: Sink<readonly RunEvent[]>): Promise<void> {
    for (let page = await this.next(); !page.done; page = await this.next()) await sink(page.value)
  }

  async return(): Promise<Page> {
    await this.#events.return?.()
    return { done: true, value: undefined }
  }
}

function isOfRun(event: RunEvent | StreamEvent): event is RunEvent {
  return 'runId' in event
}

/** The events of one request as a run of one step. */
class RequestEvents {
  #requestId = ''
  #seq = 0

  of(event: StreamEvent): readonly RunEvent[] {
    return this.#bodies(event).map((body) => ({
      ...body,
      runId: this.#requestId,
      seq: this.#seq++,
    }))
  }

  #bodies(event: StreamEvent): readonly RunEventBody[] {
    if (event.type === 'start') {
      this.#requestId = event.requestId
      return [event, { type: 'step-start', step: 1, requestId: event.requestId }]
    }
    if (event.type !== 'finish') return [event]
    const { finishReason, usage, messages } = event
    return [{ type: 'step-finish', step: 1, finishReason, usage, messages }, event]
  }
}
