import type { FinishEvent, SegmentEvent, StreamEvent } from '@braidwork/plugin'
import type { StreamPart } from './answer-types.ts'
import { type AnswerContext, callFacts, contentOf } from './content.ts'
import { reasonOf, responseOf, usageOf } from './ending.ts'
import { toMetadata } from './metadata.ts'

/** A call whose arguments are still coming. */
interface OpenCall {
  readonly name: string
  readonly providerExecuted: boolean | undefined
}

/** Converts the events of one answer to the parts of a stream. Errors and aborts are not converted here. */
export class AnswerParts {
  readonly #context: AnswerContext
  readonly #calls = new Map<string, OpenCall>()
  #hasResponse = false

  constructor(context: AnswerContext) {
    this.#context = context
  }

  /** The parts for an event: none, one or two. */
  of(event: StreamEvent): StreamPart[] {
    switch (event.type) {
      case 'start':
      case 'error':
      case 'abort':
        return []
      case 'finish':
        return this.#finish(event)
      case 'metadata':
        return this.#response(event.metadata)
      case 'tool-result':
      case 'file':
      case 'source':
        return [contentOf(event, this.#context)]
      case 'data':
        return event.transient ? [] : [contentOf(event, this.#context)]
      default:
        return this.#segment(event)
    }
  }

  #segment(event: SegmentEvent): StreamPart[] {
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
        return [{ type: event.type, id: event.id, delta: event.delta }]
      case 'tool-call-start':
        return this.#startCall(event)
      case 'tool-call-delta':
        return [{ type: 'tool-input-delta', id: event.id, delta: event.delta }]
      case 'tool-call-end':
        return this.#endCall(event)
      default:
        return [{ type: event.type, id: event.id, ...toMetadata(event.providerMetadata) }]
    }
  }

  #startCall(event: Extract<SegmentEvent, { type: 'tool-call-start' }>): StreamPart[] {
    const { id, name, providerExecuted } = event
    this.#calls.set(id, { name, providerExecuted })
    const facts = callFacts(name, providerExecuted, this.#context)
    return [{ type: 'tool-input-start', id, ...facts }]
  }

  #endCall(event: Extract<SegmentEvent, { type: 'tool-call-end' }>): StreamPart[] {
    const { id, input, providerMetadata } = event
    const call = this.#calls.get(id)
    const providerExecuted = event.providerExecuted ?? call?.providerExecuted
    const part = {
      type: 'tool-call',
      callId: id,
      name: call?.name ?? '',
      input,
      ...(providerExecuted ? { providerExecuted } : {}),
      ...(providerMetadata ? { providerMetadata } : {}),
    } as const
    return [{ type: 'tool-input-end', id }, contentOf(part, this.#context)]
  }

  #finish({ finishReason, usage, messages }: FinishEvent): StreamPart[] {
    const about = this.#response(messages.at(-1)?.metadata)
    return [
      ...about,
      { type: 'finish', finishReason: reasonOf(finishReason), usage: usageOf(usage) },
    ]
  }

  /** Told once: as soon as the model API has named the response. */
  #response(metadata: Parameters<typeof responseOf>[0]): StreamPart[] {
    const facts = this.#hasResponse ? undefined : responseOf(metadata)
    if (!facts) return []
    this.#hasResponse = true
    return [{ type: 'response-metadata', ...facts }]
  }
}
