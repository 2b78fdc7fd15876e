import { createRequire } from 'node:module'
import { hasUrl, WITHOUT_URL } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import type Database from 'libsql'
import type ThreadedDatabase from 'libsql/promise'

/**
 * Loads the driver with `require`: libsql throws if its binary is missing, and Node 20 ends the process when a CommonJS
 * module throws while it is imported. Bundlers, which cannot take a binary in, leave a `require` of this kind alone.
 * @throws {HostError} STORAGE_FAILED in a bundle of CommonJS
 */
function requireHere(): NodeJS.Require {
  if (!hasUrl(import.meta.url)) {
    throw new HostError('STORAGE_FAILED', WITHOUT_URL, { retryable: false })
  }
  return createRequire(import.meta.url)
}

/** The class of connections whose statements block this thread. */
export function blockingDriver(): typeof Database {
  return requireHere()('libsql') as typeof Database
}

/** The class of connections whose statements run on a thread of the driver. */
export function threadedDriver(): typeof ThreadedDatabase {
  return requireHere()('libsql/promise') as typeof ThreadedDatabase
}
