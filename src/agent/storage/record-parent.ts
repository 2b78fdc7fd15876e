import { HostError } from '@braidwork/plugin'
import type { StoredRecord } from './records.ts'

/** The conversation or run that must exist before a record can be imported. */
export type RecordParent =
  | { readonly type: 'conversation'; readonly owner: string; readonly id: string }
  | { readonly type: 'run'; readonly id: string }

/** Returns the parent of a record, or undefined if it has none. */
export function parentOf(record: StoredRecord): RecordParent | undefined {
  switch (record.type) {
    case 'entry':
      return { type: 'conversation', owner: record.owner, id: record.conversationId }
    case 'run': {
      const { owner, conversationId: id } = record.run
      return id === undefined ? undefined : { type: 'conversation', owner, id }
    }
    case 'event':
      return { type: 'run', id: record.event.runId }
    case 'approval':
      return { type: 'run', id: record.approval.runId }
    case 'shared':
      return { type: 'run', id: record.runId }
    default:
      return undefined
  }
}

/** Returns the error for a record whose parent does not exist. */
export function parentMissing({ type }: StoredRecord, parent: RecordParent): HostError {
  const name = `${parent.type} "${parent.id.slice(0, 100)}"`
  return new HostError(
    'REQUEST_INVALID',
    `A record of type "${type}" belongs to the ${name}, which does not exist. Import the ${parent.type} first; an export lists parents before their children.`,
  )
}
