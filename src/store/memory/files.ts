import type { FileStorage, StoredFile } from '../../agent/storage/index.ts'
import { hashOf } from '../file-hash.ts'
import type { Tables } from './tables.ts'

export function memoryFiles(tables: Tables): FileStorage {
  return {
    put: async (owner, file, conversationId) => {
      const hash = hashOf(file.bytes)
      const stored: StoredFile = { ...file, bytes: Uint8Array.from(file.bytes), hash }
      const others = tables.files.filter(
        (row) =>
          row.owner !== owner || row.file.hash !== hash || row.conversationId !== conversationId,
      )
      tables.files = [...others, { owner, conversationId, file: stored }]
      return hash
    },
    load: async (owner, hash) =>
      tables.files.find((row) => row.owner === owner && row.file.hash === hash)?.file,
    delete: async (owner, hash) => {
      const rest = tables.files.filter((row) => row.owner !== owner || row.file.hash !== hash)
      const isThere = rest.length < tables.files.length
      tables.files = rest
      return isThere
    },
  }
}
