import { HostError } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'

/** Wraps an error that a database threw. A HostError is returned as it is. */
export function storageError(thrown: unknown, retryable: boolean): HostError {
  if (HostError.is(thrown)) return thrown
  return new HostError('STORAGE_FAILED', `The storage failed: ${messageOf(thrown)}`, {
    retryable,
    cause: thrown,
  })
}
