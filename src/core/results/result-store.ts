import { createHash } from 'node:crypto'
import { HostError } from '@braidwork/plugin'

/** The stored bytes of a result. */
export interface StoredResult {
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/**
 * Stores the large results of tools for one conversation, or for one run. Its caller decides who owns them: a store
 * never has the results of another owner or conversation. LT-09
 */
export interface ResultStore {
  /** Stores bytes and returns their SHA-256 in hexadecimal. Equal bytes are stored once. */
  put(result: StoredResult): Promise<string>
  load(hash: string): Promise<StoredResult | undefined>
  /** Whether nothing is stored. Without this function, the results of earlier runs count as stored. */
  isEmpty?(): boolean
}

/** The bytes that all results in memory may have together. */
const MOST_IN_MEMORY = 64 << 20

/** Keeps results in memory, at most 64 MiB. The default of `run`, with a store for each run. */
export function memoryResults(): ResultStore {
  const results = new Map<string, StoredResult>()
  let size = 0
  return {
    put: async (result) => {
      const hash = createHash('sha256').update(result.bytes).digest('hex')
      if (results.has(hash)) return hash
      if (size + result.bytes.byteLength > MOST_IN_MEMORY) throw full()
      size += result.bytes.byteLength
      results.set(hash, result)
      return hash
    },
    load: async (hash) => results.get(hash),
    isEmpty: () => results.size === 0,
  }
}

function full(): HostError {
  const message = `The large results of the run have more than ${MOST_IN_MEMORY} bytes together, the most that is kept in memory.`
  return new HostError('STORAGE_QUOTA_EXCEEDED', message)
}
