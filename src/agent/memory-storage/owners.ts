import { callerKey } from '@braidwork/core/internal'
import { type Owned, type OwnerStorage, ownerOfKey, type Storage } from '../storage/index.ts'
import { removeRun } from './remove-run.ts'
import type { Tables } from './tables.ts'

type Parts = Pick<
  Storage,
  'conversations' | 'files' | 'settings' | 'agents' | 'documents' | 'tokens'
>

/** What the tables have of one owner. */
function rowsOf(tables: Tables, owner: string) {
  const isOwn = (row: { readonly owner: string }) => row.owner === owner
  const files = [...tables.files.values()].flatMap((rows) => [...rows.values()]).filter(isOwn)
  const keys = [...tables.values.keys()].filter(
    (key) => key !== undefined && (ownerOfKey(key) === owner || key === callerKey(owner)),
  )
  return {
    conversations: tables.conversationsOf
      .of(owner)
      .flatMap((key) => tables.conversations.get(key)?.conversation.id ?? []),
    runs: [...tables.runs.values()].flatMap(({ run }) => (isOwn(run) ? run.id : [])),
    files: [...new Set(files.map(({ file }) => file.hash))],
    keys,
    agents: [...tables.agents.values()].filter(isOwn),
    documents: [...tables.documents.values()].filter(isOwn),
    tokens: [...tables.tokens.values()].filter(({ identity }) => identity['id'] === owner),
  }
}

export function memoryOwners(tables: Tables, parts: Parts): OwnerStorage {
  return {
    count: async (owner): Promise<Owned> => {
      const { keys, ...rows } = rowsOf(tables, owner)
      const valuesOf = keys.flatMap((key) => [...(tables.values.get(key)?.values() ?? [])])
      return {
        conversations: rows.conversations.length,
        runs: rows.runs.length,
        files: rows.files.length,
        values: valuesOf.reduce((sum, { values }) => sum + values.size, 0),
        settings: tables.settings.has(owner) ? 1 : 0,
        agents: rows.agents.length,
        documents: rows.documents.length,
        tokens: rows.tokens.length,
      }
    },
    forget: async (owner) => {
      const rows = rowsOf(tables, owner)
      await deleteItems(parts, owner, rows)
      for (const id of rows.runs) removeRun(tables, id)
      for (const key of rows.keys) tables.values.delete(key)
      for (const key of [owner, ownerOfKey(callerKey(owner))]) tables.usage.delete(key)
    },
  }
}

async function deleteItems(
  parts: Parts,
  owner: string,
  rows: ReturnType<typeof rowsOf>,
): Promise<void> {
  for (const { id } of rows.tokens) await parts.tokens.delete(id)
  for (const id of rows.conversations) await parts.conversations.delete(owner, id)
  for (const hash of rows.files) await parts.files.delete(owner, hash)
  for (const { id } of rows.agents) await parts.agents.delete(owner, id)
  for (const { kind, name } of rows.documents) await parts.documents.delete(owner, kind, name)
  await parts.settings.delete(owner)
}
