import type { DataPart, Part } from '@braidwork/plugin'

/** The name of the data that stands in place of a deleted item, so that the items after it keep their numbers. */
const DELETED_ITEM = 'deleted-item'

const DELETED: DataPart = { type: 'data', name: DELETED_ITEM, data: null }

/** Returns a part in place of a deleted item. The model is not shown it. */
export function deletedPart(): DataPart {
  return DELETED
}

export function isDeleted(part: Part): boolean {
  return part.type === 'data' && part.name === DELETED_ITEM
}
