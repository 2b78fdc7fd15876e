import type { Message, Part } from '@braidwork/plugin'
import type { CompactionMarker, Entry, EntryOrigin } from '../storage/index.ts'
import { isDeleted } from './deleted-parts.ts'

interface Place {
  readonly entryId: string
  readonly parent: string | undefined
  /** The run that added it, if a run did. */
  readonly runId?: string
  /** Of a copy: the run that wrote what it is a copy of. */
  readonly origin?: EntryOrigin
}

/** A message of a conversation's path, with the entry that contains it. */
export interface MessageNode extends Place {
  /** Its id is that of the entry, unless the message has one. */
  readonly message: Message
}

/** The marker of a compaction on a conversation's path. */
export interface MarkerNode extends Place {
  readonly marker: CompactionMarker
  /** The file with the replaced messages is gone. CT-24 */
  readonly isArchiveMissing?: true
  readonly message?: undefined
}

/** A message or a marker on the path from the root of a conversation to one of its entries. */
export type PathNode = MessageNode | MarkerNode

/**
 * Returns the nodes of a path. A message without an id gets the id of its entry. Deleted items are left out, and so are
 * results whose calls were deleted.
 */
export function nodesOf(path: readonly Entry[]): readonly PathNode[] {
  const all = path.map(nodeOf)
  const isCut = all.some(({ message }) => message?.parts.some(isDeleted))
  return isCut ? withoutDeleted(all) : all
}

/** All messages of a path, for a person: nothing is left out for a compaction. */
export function shownMessages(path: readonly Entry[]): readonly MessageNode[] {
  return nodesOf(path).filter((node): node is MessageNode => node.message !== undefined)
}

function nodeOf(entry: Entry): PathNode {
  const { id: entryId, parent, runId, origin } = entry
  const place = {
    entryId,
    parent,
    ...(runId === undefined ? {} : { runId }),
    ...(origin ? { origin } : {}),
  }
  if (entry.kind === 'compaction') return { ...place, marker: entry }
  return { ...place, message: { ...entry.message, id: entry.message.id ?? entryId } }
}

function withoutDeleted(path: readonly PathNode[]): readonly PathNode[] {
  const calls = new Set<string>()
  const isLeft = (part: Part): boolean => {
    if (part.type === 'tool-call') calls.add(part.callId)
    return part.type === 'tool-result' ? calls.has(part.callId) : !isDeleted(part)
  }
  return path.flatMap((node): readonly PathNode[] => {
    if (!node.message) return [node]
    const parts = node.message.parts.filter(isLeft)
    return parts.length > 0 ? [{ ...node, message: { ...node.message, parts } }] : []
  })
}
