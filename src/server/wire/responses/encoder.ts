import type { RunEvent } from '@braidwork/plugin'
import { PartEncoder, type RunFacts, type StreamEncoder } from '../index.ts'
import { HostCalls } from './host-calls.ts'
import { ItemWriter, type ResponsesOptions } from './item-writer.ts'

/**
 * Encodes a run as the events of one response. Each event has a sequence number, which is the same whenever the run
 * is encoded.
 */
export function responsesEncoder(facts: RunFacts, options: ResponsesOptions = {}): StreamEncoder {
  return new ResponsesEncoder(facts, options)
}

/** Writes the parts of the model's answers, and behind those of a step the calls that the host ran for it. */
class ResponsesEncoder implements StreamEncoder {
  readonly #writer: ItemWriter
  readonly #parts: PartEncoder
  readonly #calls = new HostCalls()

  constructor(facts: RunFacts, options: ResponsesOptions) {
    this.#writer = new ItemWriter(facts, options)
    this.#parts = new PartEncoder(facts, this.#writer)
  }

  encode(event: RunEvent): string {
    const text = this.#parts.encode(event)
    const call = this.#calls.add(event)
    return call ? text + this.#writer.hostCall(call) : text
  }
}
