import { isEnding, type RunEvent } from '@braidwork/plugin'
import { PartEncoder, type PublicError, type RunFacts, type StreamEncoder } from '../index.ts'
import { ItemWriter } from './item-writer.ts'
import type { ResponsesOptions } from './options.ts'
import type { ResponseHead } from './response.ts'

/**
 * Encodes a run as the events of one response. Each event has a sequence number, which is the same whenever the run
 * is encoded.
 */
export function responsesEncoder(facts: RunFacts, options: ResponsesOptions = {}): StreamEncoder {
  return new PartEncoder(facts, new ItemWriter(facts, options))
}

/** A run that failed or was cancelled. */
export interface FailedRun {
  readonly events: readonly RunEvent[]
  readonly error: PublicError
}

/** Returns the response of a run that failed, with the items that a stream of it showed. */
export function responseOfFailed(
  { events, error }: FailedRun,
  facts: RunFacts,
  options: ResponsesOptions,
): ResponseHead {
  const writer = new ItemWriter(facts, options)
  const encoder = new PartEncoder(facts, writer)
  for (const event of events) if (!isEnding(event)) encoder.encode(event)
  writer.cut()
  return writer.failed(error)
}
