import { HostError } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'

/** What a database threw, as a storage says it. */
export function storageError(thrown: unknown, retryable: boolean): HostError {
  if (HostError.is(thrown)) return thrown
  return new HostError('STORAGE_FAILED', `The storage failed: ${messageOf(thrown)}`, {
    retryable,
    cause: thrown,
  })
}
