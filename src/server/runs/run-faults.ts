import { HostError } from '@braidwork/plugin'

/** The error for a run that does not exist, or that the caller may not see. */
export function runUnknown(runId: string): HostError {
  return new HostError('RUN_UNKNOWN', `There is no run "${runId.slice(0, 100)}".`)
}

export function conversationBusy(conversationId: string | undefined): HostError {
  const message = `A run is active in the conversation "${conversationId}". Wait until it ends, or stop it.`
  return new HostError('CONVERSATION_BUSY', message)
}
