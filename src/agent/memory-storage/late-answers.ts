import type { ToolResultPart } from '@braidwork/plugin'
import { conversationKey, withResult } from '../storage/index.ts'
import type { RunRow, Tables } from './tables.ts'
import { charge, jsonBytes } from './usage.ts'

/** Replaces the last result that a run's call has in the run's conversation, if any. */
export function replaceResult(
  tables: Tables,
  { id, owner, conversationId = '' }: RunRow['run'],
  result: ToolResultPart,
): void {
  const row = tables.conversations.get(conversationKey(owner, conversationId))
  for (const entry of [...(row?.entries.values() ?? [])].reverse()) {
    if (!row || entry.runId !== id || entry.kind !== 'message') continue
    const message = withResult(entry.message, result)
    if (!message) continue
    row.entries.set(entry.id, { ...entry, message })
    const bytes = jsonBytes(message) - jsonBytes(entry.message)
    row.bytes += bytes
    charge(tables, owner, { bytes })
    return
  }
}
