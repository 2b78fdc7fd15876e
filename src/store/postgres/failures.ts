import { storageError } from '@braidwork/agent/internal'
import { codeOf } from '@braidwork/core/internal'

/**
 * The SQLSTATE classes whose errors may pass: connections, conflicts, resources, shutdown. They make an error
 * retryable.
 */
const PASSING = /^(?:08|40|53|55|57)/
/** The SQLSTATE of a database that has no connections left. */
const TOO_MANY_CONNECTIONS = '53300'

/** The database did not answer, and the state of the connection is not known. */
export class SilenceError extends Error {
  constructor(milliseconds: number) {
    super(`PostgreSQL did not answer within ${milliseconds / 1000} seconds`)
    this.name = 'SilenceError'
  }
}

/** The error of the storage for an error of the database. */
export function failureOf(error: unknown): Error {
  const code = codeOf(error)
  // An error without a SQLSTATE comes from the connection.
  return storageError(error, code.length !== 5 || PASSING.test(code))
}

/** Whether a failure of the storage is a silence of the database. */
export function isSilence(failure: unknown): boolean {
  return failure instanceof Error && failure.cause instanceof SilenceError
}

/** Whether the database has no connections left. */
export function isShort(error: unknown): boolean {
  return codeOf(error) === TOO_MANY_CONNECTIONS
}
