import { HostError } from '@braidwork/plugin'
import type { StoredRecord } from './records.ts'

/** What has to be there before a record can be taken over. */
export type RecordParent =
  | { readonly type: 'conversation'; readonly owner: string; readonly id: string }
  | { readonly type: 'run'; readonly id: string }

/** What a record is a part of; nothing where it stands alone. */
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
    default:
      return undefined
  }
}

/** The fault of a record that is a part of nothing. */
export function parentMissing({ type }: StoredRecord, parent: RecordParent): HostError {
  const name = `${parent.type} "${parent.id.slice(0, 100)}"`
  return new HostError(
    'REQUEST_INVALID',
    `A record of type "${type}" is a part of the ${name}, which is not there. Import that first; an export has its records in such an order.`,
  )
}
