import type { ErrorData } from '../errors.ts'
import type {
  DataPart,
  FilePart,
  FinishReason,
  Message,
  MessageMetadata,
  SourcePart,
  ToolResultPart,
} from './messages.ts'
import type { Termination } from './run-phases.ts'
import type { Usage } from './usage.ts'

/** Fields that any start or end event may add to its part. */
interface PartFacts {
  readonly providerMetadata?: { readonly [provider: string]: unknown }
}

/** Events that open, fill and close a part. The `id` is unique within a request. */
export type SegmentEvent =
  | ({ readonly type: 'text-start' | 'text-end'; readonly id: string } & PartFacts)
  | ({ readonly type: 'reasoning-start' | 'reasoning-end'; readonly id: string } & PartFacts)
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly id: string; readonly delta: string }
  | ({
      readonly type: 'tool-call-start'
      readonly id: string
      readonly name: string
      readonly providerExecuted?: boolean
    } & PartFacts)
  | { readonly type: 'tool-call-delta'; readonly id: string; readonly delta: string }
  | ({
      readonly type: 'tool-call-end'
      readonly id: string
      /** The parsed arguments, or the original text if it is not valid JSON. */
      readonly input: unknown
      readonly providerExecuted?: boolean
    } & PartFacts)

/** An event that carries a whole part; it has the same type and fields as the part. */
export type PartEvent =
  | ToolResultPart
  | FilePart
  | SourcePart
  | (DataPart & { readonly id?: string; readonly transient?: boolean })

/** The events that a provider's `processChunk` returns. The host adds the start and the ending. None has a `role`. */
export type PartialEvent = (
  | SegmentEvent
  | PartEvent
  | { readonly type: 'metadata'; readonly metadata: MessageMetadata }
) & { readonly role?: undefined }

export interface StartEvent {
  readonly type: 'start'
  readonly requestId: string
  /** Of a child run: its parent, its root, its depth, its lane and its agent. AL-04 */
  readonly place?: object
}

export interface FinishEvent {
  readonly type: 'finish'
  readonly finishReason: FinishReason
  readonly usage: Usage
  readonly messages: readonly Message[]
  /** Only of runs. */
  readonly termination?: Termination
}

export interface ErrorEvent {
  readonly type: 'error'
  readonly error: ErrorData
}

export interface AbortEvent {
  readonly type: 'abort'
  readonly reason: string
}

export type EndingEvent = FinishEvent | ErrorEvent | AbortEvent

/** The events of `host.stream`: one start, then partials, then exactly one ending. */
export type StreamEvent = StartEvent | PartialEvent | EndingEvent

/** Whether an event ends its request. */
export function isEnding(event: { readonly type: string }): event is EndingEvent {
  return event.type === 'finish' || event.type === 'error' || event.type === 'abort'
}
