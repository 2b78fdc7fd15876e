import type { Message } from '@braidwork/plugin'
import type { ConversationStorage, Entry, FileStorage } from '../storage/index.ts'
import { markerMessage } from './marker-message.ts'
import { type MarkerNode, type MessageNode, nodesOf, type PathNode } from './path.ts'

/** The part of a path that the model is shown. */
export interface ShownPath {
  /** The marker that stands in place of everything before, if there is one. */
  readonly marker?: MarkerNode
  readonly messages: readonly MessageNode[]
}

/**
 * The messages that the model is shown of a path: from the last compaction on, with its summary in front. They have no
 * ids, which are internal to the host. This is the only reader of entries for the model. CT-24
 */
export function historyOf(path: readonly Entry[]): readonly Message[] {
  return historyOfNodes(nodesOf(path))
}

/** As {@link historyOf}. */
export function historyOfNodes(path: readonly PathNode[]): readonly Message[] {
  const { marker, messages } = shownPath(path)
  const before = marker ? beforeRest(marker) : []
  return [...before, ...messages.map(withoutId)]
}

/** What stands in place of the messages before a marker. */
function beforeRest({ marker, isArchiveMissing }: MarkerNode): readonly Message[] {
  const { system = [], asked = [] } = marker
  const summary = markerMessage(isArchiveMissing ? { ...marker, archive: null } : marker)
  return [...system, summary, ...asked]
}

/** Splits a path at its last compaction. */
export function shownPath(path: readonly PathNode[]): ShownPath {
  const at = path.findLastIndex((node) => !node.message && cutOf(path, node) >= 0)
  const marker = path[at]
  if (!marker || marker.message) return { messages: path.filter(isMessage) }
  return { marker, messages: path.slice(cutOf(path, marker)).filter(isMessage) }
}

/**
 * Where the messages after a marker begin, or -1 if the marker names an entry that is not on this path: it then stands
 * for nothing here.
 */
function cutOf(path: readonly PathNode[], node: MarkerNode): number {
  const { keptFrom } = node.marker
  const at = path.indexOf(node)
  if (keptFrom === undefined) return at
  return path.findIndex(({ entryId }, index) => index < at && entryId === keptFrom)
}

function isMessage(node: PathNode): node is MessageNode {
  return node.message !== undefined
}

function withoutId({ message: { id: _, ...message } }: MessageNode): Message {
  return message
}

/** A conversation in a storage. */
export interface StoredConversation {
  readonly storage: {
    readonly conversations: Pick<ConversationStorage, 'above'>
    readonly files: Pick<FileStorage, 'has'>
  }
  readonly owner: string
  readonly conversationId: string
}

/**
 * Reads the part of a path that the model is shown, and no further. Says of its marker if the archive is missing. CT-24
 * @param at the last entry of the path; the default is the head of the conversation
 * @throws {HostError} ENTRY_UNKNOWN, CONVERSATION_UNKNOWN, STORAGE_FAILED
 */
export async function loadShownNodes(
  stored: StoredConversation,
  at?: string,
): Promise<readonly PathNode[]> {
  const { storage, owner, conversationId } = stored
  const entries: Entry[] = []
  let keptFrom: string | undefined
  for await (const entry of storage.conversations.above(owner, conversationId, at)) {
    entries.push(entry)
    if (entry.id === keptFrom) break
    if (entry.kind !== 'compaction' || keptFrom !== undefined) continue
    if (entry.keptFrom === undefined) break
    keptFrom = entry.keptFrom
  }
  return withArchiveChecked(nodesOf(entries.reverse()), stored)
}

/**
 * Says of the last marker of a path if its archive is missing. CT-24
 * @throws {HostError} STORAGE_FAILED
 */
export async function withArchiveChecked(
  path: readonly PathNode[],
  { storage: { files }, owner, conversationId }: StoredConversation,
): Promise<readonly PathNode[]> {
  const { marker } = shownPath(path)
  if (!marker || (await files.has(owner, marker.marker.archive, conversationId))) return path
  return path.map((node) => (node === marker ? { ...marker, isArchiveMissing: true } : node))
}
