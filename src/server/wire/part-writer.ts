import type { FilePart, FinishEvent, SourcePart } from '@braidwork/plugin'
import type { HostCall } from './host-calls.ts'
import type { PublicError } from './public-error.ts'

/** The data at the end of a part. */
export interface PartEnd {
  readonly id: string
  /** The arguments of a tool call. */
  readonly input?: unknown
  readonly providerMetadata?: { readonly [provider: string]: unknown }
}

/** A part that is streamed to the client. The id of a call is the one that the client answers with. */
export interface ShownPart {
  readonly kind: 'text' | 'reasoning' | 'tool-call'
  readonly id: string
  /** The name of the called tool; empty for other parts. */
  readonly name: string
  /** Whether the provider announced the text as the model's refusal to answer. */
  readonly isRefusal: boolean
}

/**
 * Writes the parts of a response in the format of a protocol. Parts never overlap; each is opened once and closed
 * once.
 */
export interface PartWriter {
  open(part: ShownPart): string
  /** Appends to the part opened last. `text` is never empty. */
  delta(part: ShownPart, text: string): string
  /** @param end the data at the part's end, or undefined if the part was cut off */
  close(part: ShownPart, end: PartEnd | undefined): string
  file(file: FilePart): string
  /** Writes a call that the host ran. The client must not take it for one that it has to answer. */
  hostCall(call: HostCall): string
  /** Writes a source. It belongs to the text directly before it, if there is one. */
  source(source: SourcePart): string
  /** Separates what follows from the text before it, which gets no more sources. */
  rest(): string
}

/** Writes one response in the format of a protocol, from its start to its ending. */
export interface AnswerWriter extends PartWriter {
  first(): string
  /** @param calls the number of calls sent to the client */
  finish(finish: FinishEvent, calls: number): string
  fail(error: PublicError): string
}
