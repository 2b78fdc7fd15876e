import {
  conversationKey,
  conversationUnknown,
  type FileStorage,
  hashOf,
  type StoredFile,
} from '../storage/index.ts'
import { assertCreatedAt } from './entries.ts'
import type { FileRow, Tables } from './tables.ts'
import { charge } from './usage.ts'

export function memoryFiles(tables: Tables): FileStorage {
  return {
    put: async (owner, file, conversationId, createdAt) => {
      if (createdAt !== undefined) assertThere(tables, [owner, conversationId ?? ''], createdAt)
      const hash = hashOf(file.bytes)
      const stored: StoredFile = { ...file, bytes: Uint8Array.from(file.bytes), hash }
      putFile(tables, { owner, conversationId, file: stored })
      return hash
    },
    count: async (owner, conversationId) =>
      tables.filesOf.of(conversationKey(owner, conversationId)).length,
    share: async (owner, from, to) => {
      for (const key of tables.filesOf.of(conversationKey(owner, from))) {
        const row = tables.files.get(key)?.get(from)
        if (row) putFile(tables, { ...row, conversationId: to })
      }
    },
    has: async (owner, hash, conversationId) => {
      const rows = tables.files.get(fileKey(owner, hash))
      return conversationId === undefined
        ? (rows?.size ?? 0) > 0
        : rows?.has(conversationId) === true
    },
    load: async (owner, hash, conversationId) => {
      const rows = tables.files.get(fileKey(owner, hash))
      if (conversationId !== undefined) return rows?.get(conversationId)?.file
      const [row] = rows?.values() ?? []
      return row?.file
    },
    delete: async (owner, hash) => {
      const key = fileKey(owner, hash)
      for (const row of tables.files.get(key)?.values() ?? []) {
        const { conversationId } = row
        if (conversationId !== undefined) {
          tables.filesOf.delete(conversationKey(owner, conversationId), key)
        }
        countFile(tables, row, -1)
      }
      return tables.files.delete(key)
    },
  }
}

/** @throws {HostError} CONVERSATION_UNKNOWN */
function assertThere(
  { conversations }: Tables,
  [owner, id]: readonly [owner: string, id: string],
  createdAt: number,
): void {
  const row = conversations.get(conversationKey(owner, id))
  if (!row) throw conversationUnknown(id)
  assertCreatedAt(row, createdAt)
}

/** Stores a file for a conversation, unless the conversation has it already. Returns whether it stored it. */
export function putFile(tables: Tables, row: FileRow): boolean {
  const { owner, conversationId, file } = row
  const key = fileKey(owner, file.hash)
  const rows = tables.files.get(key) ?? new Map<string | undefined, FileRow>()
  if (rows.has(conversationId)) return false
  tables.files.set(key, rows.set(conversationId, row))
  countFile(tables, row, 1)
  if (conversationId !== undefined) {
    tables.filesOf.add(conversationKey(owner, conversationId), key)
  }
  return true
}

/** Removes a conversation's files. A file that other conversations also have stays stored for them. */
export function removeFiles(tables: Tables, owner: string, conversationId: string): void {
  const conversation = conversationKey(owner, conversationId)
  for (const key of tables.filesOf.of(conversation)) {
    tables.filesOf.delete(conversation, key)
    const rows = tables.files.get(key)
    const row = rows?.get(conversationId)
    if (row) countFile(tables, row, -1)
    rows?.delete(conversationId)
    if (rows?.size === 0) tables.files.delete(key)
  }
}

function countFile(tables: Tables, { owner, file }: FileRow, files: 1 | -1): void {
  charge(tables, owner, { bytes: files * file.bytes.byteLength, files })
}

function fileKey(owner: string, hash: string): string {
  return JSON.stringify([owner, hash])
}
