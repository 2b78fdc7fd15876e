import type { StoredRun } from '@braidwork/agent'
import type { RunEvent } from '@braidwork/plugin'
import { replayDialect } from './routes/index.ts'
import { factsOf } from './run-order.ts'

/**
 * The text that a client of a protocol reads of a run, from its stored events alone. LR-18
 * @throws {HostError} REQUEST_INVALID for a protocol that the server does not speak
 */
export function replayed(
  run: StoredRun,
  events: readonly RunEvent[],
  protocol: string,
): readonly string[] {
  const encoder = replayDialect(run, protocol).encoder(factsOf(run))
  return events.map((event) => encoder.encode(event))
}
