import type { DocumentKind, DocumentStorage, StoredDocument } from '../../agent/storage/index.ts'
import { byName } from '../by-name.ts'
import type { Tables } from './tables.ts'

export function memoryDocuments({ documents }: Tables): DocumentStorage {
  const keyOf = (owner: string, kind: DocumentKind, name: string) =>
    JSON.stringify([owner, kind, name])
  return {
    list: async (owner, kind) =>
      [...documents.values()]
        .filter((document) => document.owner === owner && document.kind === kind)
        .sort(byName),
    load: async (owner, kind, name) => documents.get(keyOf(owner, kind, name)),
    save: async (document: StoredDocument) =>
      void documents.set(keyOf(document.owner, document.kind, document.name), document),
    delete: async (owner, kind, name) => documents.delete(keyOf(owner, kind, name)),
  }
}
