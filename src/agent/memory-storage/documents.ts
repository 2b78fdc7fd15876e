import { byName, type DocumentKind, type DocumentStorage } from '../storage/index.ts'
import type { Tables } from './tables.ts'
import { charge, jsonBytes } from './usage.ts'

export function memoryDocuments(tables: Tables): DocumentStorage {
  const { documents } = tables
  const sizeOf = (key: string): number => {
    const document = documents.get(key)
    return document ? jsonBytes(document.content) : 0
  }
  const keyOf = (owner: string, kind: DocumentKind, name: string) =>
    JSON.stringify([owner, kind, name])
  return {
    list: async (owner, kind) =>
      [...documents.values()]
        .filter((document) => document.owner === owner && document.kind === kind)
        .sort(byName),
    load: async (owner, kind, name) => documents.get(keyOf(owner, kind, name)),
    save: async (document, check) => {
      const { owner, kind, name, content } = document
      const key = keyOf(owner, kind, name)
      check?.(documents.get(key))
      charge(tables, owner, { bytes: jsonBytes(content) - sizeOf(key) })
      documents.set(key, document)
    },
    delete: async (owner, kind, name, check) => {
      const key = keyOf(owner, kind, name)
      const before = documents.get(key)
      if (before) check?.(before)
      charge(tables, owner, { bytes: -sizeOf(key) })
      return documents.delete(key)
    },
  }
}
