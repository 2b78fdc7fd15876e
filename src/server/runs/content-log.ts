import type { StoredRun } from '@braidwork/agent'
import type { Message } from '@braidwork/plugin'
import type { RunWorkParts } from './run-parts.ts'

type ContentLogParts = Pick<RunWorkParts, 'log' | 'host' | 'logsContent'>

/** Logs messages of a run, if the log has contents. */
export function logContent(
  { log, host, logsContent = false }: ContentLogParts,
  message: string,
  { id: runId }: Pick<StoredRun, 'id'>,
  messages: readonly Message[],
): void {
  if (logsContent) log(host.maskTexts({ level: 'info', message, runId, messages }))
}

/** The most warnings of a run whose texts are in its line, and the most characters of each. */
const MOST_WARNINGS = 20
const LONGEST_WARNING = 1000

/** What the line of a run tells of its warnings: their number, and their texts if the log has contents. */
export function warningFacts(
  { host, logsContent = false }: Omit<ContentLogParts, 'log'>,
  warnings: readonly string[],
): { readonly warnings?: number; readonly warningTexts?: readonly string[] } {
  if (warnings.length === 0) return {}
  const count = { warnings: warnings.length }
  if (!logsContent) return count
  const texts = host.maskTexts(warnings.slice(0, MOST_WARNINGS))
  return { ...count, warningTexts: texts.map((text) => text.slice(0, LONGEST_WARNING)) }
}
