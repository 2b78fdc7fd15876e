import type { RunEvent } from '@braidwork/plugin'
import type { StoredRun } from '../storage/index.ts'

/** The version of the form of our records. The schemas of agenttool demand one, and name none. */
export const SCHEMA_VERSION = '1.0'

/** The schemas of agenttool that records of a run have. */
export type RecordKind =
  | ('tool_declaration' | 'deferred_tool' | 'tool_surface')
  | ('invocation' | 'progress' | 'result' | 'result_persistence')
  | ('permission_decision' | 'hook' | 'input_mutation')

export interface RecordDraft {
  readonly kind: RecordKind
  /** The call that the record is about. */
  readonly call?: string
  readonly tool?: string
  readonly data: object
}

/** An event of agenttool. Its data is a record of the kind that its type names. */
export interface ToolRecord {
  readonly schema_version: string
  /** The same in every export of the run. */
  readonly event_id: string
  readonly event_type: `tool.${RecordKind}`
  readonly source: 'braidwork'
  /** The run. */
  readonly subject: string
  /** ISO 8601. */
  readonly time: string
  readonly invocation_id?: string
  readonly tool_id?: string
  readonly data: object
}

/** The last time that ISO 8601 writes with four digits of the year. */
const LAST = Date.UTC(10_000, 0) - 1

/** The time of an event. Events of early versions have none; the start of their run stands in for it. */
export function timeOf({ at }: RunEvent, { startedAt }: StoredRun): string {
  const time = at ?? startedAt
  return new Date(Math.min(Math.max(time, 0), LAST)).toISOString()
}
