import { readRecords, type Storage } from '../storage/index.ts'
import { memoryAgents } from './agents.ts'
import { memoryApprovals } from './approvals.ts'
import { MemoryConversations } from './conversations.ts'
import { memoryCounters } from './counters.ts'
import { memoryDocuments } from './documents.ts'
import { memoryFiles } from './files.ts'
import { memoryOwners } from './owners.ts'
import { recordsOf, takeRecord } from './records.ts'
import { MemoryRuns } from './runs.ts'
import { memorySettings } from './settings.ts'
import { memorySharedValues } from './shared-values.ts'
import { emptyTables, type Tables } from './tables.ts'
import { memoryTokens } from './tokens.ts'
import { usageOf } from './usage.ts'
import { memoryValues } from './values.ts'

/** A complete storage in memory. Its contents are lost when the process ends. */
export function memoryStorage(): Storage {
  return storageOf(emptyTables(true))
}

/** A storage in memory for runs that count towards no quota: it does not measure them. */
export function unmeasuredStorage(): Storage {
  return storageOf(emptyTables(false))
}

function storageOf(tables: Tables): Storage {
  const conversations = new MemoryConversations(tables)
  const parts = {
    conversations,
    files: memoryFiles(tables),
    settings: memorySettings(tables),
    agents: memoryAgents(tables),
    documents: memoryDocuments(tables),
    tokens: memoryTokens(tables),
  }
  return {
    ...parts,
    owners: memoryOwners(tables, parts),
    runs: new MemoryRuns(tables, conversations),
    approvals: memoryApprovals(tables),
    counters: memoryCounters(tables),
    shared: memorySharedValues(tables),
    storageOf: (plugin, conversationId) => memoryValues(tables, plugin, conversationId),
    usage: async (owner) => usageOf(tables, owner),
    async *exportRecords(owner) {
      yield* recordsOf(tables, owner)
    },
    importRecords: async (records) => {
      let count = 0
      for await (const record of readRecords(records)) if (takeRecord(tables, record)) count++
      return count
    },
    compact: async () => undefined,
    check: async () => undefined,
    close: async () => undefined,
  }
}
