import { createRequire } from 'node:module'
import { hasUrl, WITHOUT_URL } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import type Database from 'libsql'
import type ThreadedDatabase from 'libsql/promise'

if (!hasUrl(import.meta.url)) {
  throw new HostError('STORAGE_FAILED', WITHOUT_URL, { retryable: false })
}

/**
 * Loads the driver with `require`: libsql throws if its binary is missing, and Node 20 ends the process when a CommonJS
 * module throws while it is imported. Bundlers, which cannot take a binary in, leave a `require` of this kind alone.
 */
const require = createRequire(import.meta.url)

/** A connection whose statements block this thread. */
export const Connection = require('libsql') as typeof Database

/** The class of connections whose statements run on a thread of the driver. */
export function threadedDriver(): typeof ThreadedDatabase {
  return require('libsql/promise') as typeof ThreadedDatabase
}
