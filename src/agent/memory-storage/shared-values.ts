import {
  ContextValues,
  runUnknown,
  type SharedStorage,
  type SharedValue,
} from '../storage/index.ts'
import type { RunRow, Tables } from './tables.ts'
import { charge } from './usage.ts'

export function memorySharedValues(tables: Tables): SharedStorage {
  const runOf = (owner: string, runId: string): RunRow | undefined => {
    const row = tables.runs.get(runId)
    return row?.run.owner === owner ? row : undefined
  }
  const valuesOf = (owner: string, runId: string) => runOf(owner, runId) && tables.shared.get(runId)
  return {
    list: async (owner, runId) => valuesOf(owner, runId)?.all ?? [],
    load: async (owner, runId, key) => valuesOf(owner, runId)?.get(key),
    write: async (owner, runId, write) => {
      const run = runOf(owner, runId)
      if (!run) throw runUnknown(runId)
      return counted(tables, run, write.key, (values) => values.write(write))
    },
  }
}

/** Changes a value of a run's context, and counts how much larger it gets. */
function counted(
  tables: Tables,
  row: RunRow,
  key: string,
  change: (values: ContextValues) => SharedValue,
): SharedValue {
  const { id, owner } = row.run
  const values = tables.shared.get(id) ?? new ContextValues()
  const before = values.bytesOf(key)
  const shared = change(values)
  tables.shared.set(id, values)
  const bytes = values.bytesOf(key) - before
  row.bytes += bytes
  charge(tables, owner, { bytes })
  return shared
}

/** Imports a value unless its key has one. Returns whether it was imported. */
export function takeShared(tables: Tables, runId: string, shared: SharedValue): boolean {
  const run = tables.runs.get(runId)
  if (!run || tables.shared.get(runId)?.get(shared.key)) return false
  counted(tables, run, shared.key, (values) => values.put(shared))
  return true
}
