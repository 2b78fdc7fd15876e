import { createHash } from 'node:crypto'
import {
  LargeResults,
  memoryResults,
  type ResultStore,
  type StoredResult,
} from '../../../src/core/results/index.ts'

/** The hash under which a text or bytes are stored. */
export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** A store in memory that notes what is put into it. */
export function notingStore(more: Partial<ResultStore> = {}) {
  const puts: StoredResult[] = []
  const memory = memoryResults()
  const store: ResultStore = {
    ...memory,
    put: (result) => {
      puts.push(result)
      return memory.put(result)
    },
    ...more,
  }
  return { store, puts }
}

export function largeResults(store: ResultStore = memoryResults(), limit = 1024): LargeResults {
  return new LargeResults({ store, limit, readerName: () => 'read_result' })
}
