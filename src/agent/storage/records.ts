import type { RunEvent } from '@braidwork/plugin'
import type { Approval } from './approvals.ts'
import type { Conversation, Entry } from './conversations.ts'
import type { StoredAgent, StoredDocument, StoredFile } from './documents.ts'
import type { StoredRun } from './runs.ts'
import type { SharedValue } from './shared-values.ts'

/** The first or the last line of an export, by which an import knows that nothing is missing. */
export type ExportMark =
  | { readonly type: 'export' }
  | { readonly type: 'end'; readonly records: number }

/** One record, which is one line of an export. Parents come before their children. */
export type StoredRecord =
  | { readonly type: 'conversation'; readonly conversation: Conversation }
  | {
      readonly type: 'entry'
      readonly owner: string
      readonly conversationId: string
      readonly entry: Entry
    }
  | { readonly type: 'run'; readonly run: StoredRun; readonly idempotencyKey?: string }
  | { readonly type: 'event'; readonly event: RunEvent }
  | { readonly type: 'approval'; readonly approval: Approval }
  | { readonly type: 'shared'; readonly runId: string; readonly shared: SharedValue }
  | {
      readonly type: 'file'
      readonly owner: string
      readonly conversationId?: string
      /** `bytes` is encoded as base64. */
      readonly file: Omit<StoredFile, 'bytes'> & { readonly bytes: string }
    }
  | { readonly type: 'settings'; readonly owner: string; readonly layer: object }
  | { readonly type: 'agent'; readonly agent: StoredAgent }
  | { readonly type: 'document'; readonly document: StoredDocument }
  | {
      readonly type: 'value'
      readonly plugin: string
      /** A `conversationKey`, or an `ownerKey` for values outside any conversation. Absent for global values. */
      readonly conversationId?: string
      readonly key: string
      readonly value: unknown
    }
