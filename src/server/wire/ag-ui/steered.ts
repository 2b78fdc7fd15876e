import type { StoredRun } from '@braidwork/agent'
import type { AgUiRequest } from './decode.ts'
import { custom, frameOf, PROTOCOL_VERSION } from './events.ts'

/**
 * The stream that answers a request whose messages entered a run. To the client it is a run that ends at once; the
 * stream of the other run shows the messages and what comes after them.
 */
export function agUiSteered(
  {
    conversationId: threadId,
    clientRunId: runId,
  }: Pick<AgUiRequest, 'conversationId' | 'clientRunId'>,
  { id }: Pick<StoredRun, 'id'>,
): string {
  return [
    frameOf({ type: 'RUN_STARTED', threadId, runId, protocolVersion: PROTOCOL_VERSION }),
    custom('steered', { runId: id }),
    frameOf({ type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'success' } }),
  ].join('')
}
