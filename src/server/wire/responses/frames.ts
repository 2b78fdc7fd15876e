import type { ShownPart } from '../index.ts'

/** The event type of a part's deltas, and the fields that locate the part. */
interface Delta {
  readonly type: string
  readonly place: string
}

/** The kinds of deltas. A text that refuses to answer has its own. */
export type DeltaKind = ShownPart['kind'] | 'refusal'

const DELTAS: { readonly [K in DeltaKind]: Delta } = {
  text: { type: 'response.output_text.delta', place: '"content_index":0,"logprobs":[],' },
  refusal: { type: 'response.refusal.delta', place: '"content_index":0,' },
  reasoning: { type: 'response.reasoning_summary_text.delta', place: '"summary_index":0,' },
  'tool-call': { type: 'response.function_call_arguments.delta', place: '' },
}

/** Writes events with their sequence numbers. Of those that a resuming client has, it writes none. */
export class Frames {
  readonly #startingAfter: number
  #sequence = -1
  /** The text in front of a delta's sequence number, and the text between that number and the delta. */
  #before = ''
  #between = ''

  /** @param startingAfter the last sequence number that the client has */
  constructor(startingAfter: number) {
    this.#startingAfter = startingAfter
  }

  frame(type: string, fields: object): string {
    const sequence_number = ++this.#sequence
    if (sequence_number <= this.#startingAfter) return ''
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...fields })}\n\n`
  }

  /** Begins the deltas of an item. The constant text around each is built once. */
  begin(kind: DeltaKind, item: { readonly id: string }, index: number): void {
    const { type, place } = DELTAS[kind]
    this.#before = `event: ${type}\ndata: {"type":"${type}","sequence_number":`
    this.#between = `,"item_id":${JSON.stringify(item.id)},"output_index":${index},${place}"delta":`
  }

  delta(text: string): string {
    const sequence = ++this.#sequence
    if (sequence <= this.#startingAfter) return ''
    return `${this.#before}${sequence}${this.#between}${JSON.stringify(text)}}\n\n`
  }
}
