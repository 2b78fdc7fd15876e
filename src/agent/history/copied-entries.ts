import type { Entry, NewEntry } from '../storage/index.ts'

/**
 * Copies entries under new ids, for another branch or conversation. A marker then names the copy of the entry that it
 * named, if that is among them.
 */
export function copiedEntries(entries: readonly Entry[], newId: () => string): readonly NewEntry[] {
  const ids = new Map(entries.map(({ id }) => [id, newId()]))
  const copyOf = (id: string): string => ids.get(id) ?? id
  return entries.map(({ parent: _, seq: __, createdAt: ___, ...entry }): NewEntry => {
    const copy = { ...entry, id: copyOf(entry.id) }
    if (copy.kind !== 'compaction' || copy.keptFrom === undefined) return copy
    return { ...copy, keptFrom: copyOf(copy.keptFrom) }
  })
}
