import type { Message } from '@braidwork/plugin'
import type { Environment } from '../environment.ts'
import { tokensIn } from '../estimated-tokens.ts'
import {
  loadShownNodes,
  type MarkerNode,
  type MessageNode,
  markerMessage,
  shownPath,
} from '../history/index.ts'
import type {
  CompactionMarker,
  CompactionTrigger,
  ConversationStorage,
  FileStorage,
} from '../storage/index.ts'
import { archiveFile } from './archive.ts'
import { type Replacement, replaceOlder } from './compact-messages.ts'
import type { CompactionPolicy } from './compaction-policy.ts'
import type { AskModel } from './summarize.ts'

/** A compaction to do. */
export interface CompactionOrder {
  readonly storage: {
    readonly conversations: Pick<ConversationStorage, 'above' | 'append'>
    readonly files: Pick<FileStorage, 'has' | 'put'>
  }
  readonly owner: string
  readonly conversationId: string
  /** When the conversation was created. One with the same id that replaces it meanwhile is left alone. */
  readonly createdAt: number
  readonly environment: Pick<Environment, 'now' | 'newId'>
  readonly policy: CompactionPolicy
  readonly trigger: CompactionTrigger
  readonly ask: AskModel
}

/** A compaction that was done. */
export interface Compacted {
  /** The id of the entry with the marker. */
  readonly entryId: string
  readonly marker: CompactionMarker
  /** The estimated tokens of what the model is shown, before and after. */
  readonly tokens: { readonly before: number; readonly after: number }
  /** The runs that the messages replaced this time belong to, the newest last. */
  readonly runIds: readonly string[]
}

/** The part of a path that a summary replaces, and what follows. */
interface Split {
  readonly marker?: MarkerNode
  readonly replaced: readonly MessageNode[]
  readonly rest: readonly MessageNode[]
  /** What a run was asked that compacted its own steps, as far as it stays. */
  readonly asked: readonly Message[]
}

/**
 * Compacts a conversation: a summary takes the place of its older messages for the model. All entries stay stored.
 * First the archive is stored, then the marker that names it. What is appended meanwhile stays as it is. CT-23, AW-43
 * @throws {HostError} COMPACTION_NEEDLESS if nothing can be replaced; COMPACTION_FAILED; CONVERSATION_UNKNOWN, also if
 * it is deleted meanwhile; STORAGE_FAILED; what `ask` throws
 */
export async function compactConversation(order: CompactionOrder): Promise<Compacted> {
  const { storage, owner, conversationId, createdAt, environment, policy, ask } = order
  const { marker: before, messages } = shownPath(await loadShownNodes(order))
  const { asked = [] } = before?.marker ?? {}
  const all = [...asked, ...messagesOf(messages)]
  const made = await replaceOlder(all, policy, ask, before?.marker)
  const cut = Math.max(0, made.cut - asked.length)
  const parts = { replaced: messages.slice(0, cut), rest: messages.slice(cut) }
  const split = { ...parts, asked: asked.slice(made.cut) }
  const known = before ? { ...split, marker: before } : split
  const archive = await storage.files.put(owner, archiveOf(known), conversationId, createdAt)
  const marker = markerOf(order, known, { ...made, archive })
  const entryId = environment.newId('message')
  const entries = [{ ...marker, id: entryId }]
  const append = { entries, createdAt }
  await storage.conversations.append(owner, conversationId, append, environment.now())
  const after = tokensIn([markerMessage(marker), ...split.asked, ...messagesOf(split.rest)])
  const tokens = { before: tokensOf(known), after }
  return { entryId, marker, tokens, runIds: runsOf(split.replaced) }
}

function runsOf(nodes: readonly MessageNode[]): readonly string[] {
  return [...new Set(nodes.flatMap(({ runId }) => runId ?? []))]
}

function markerOf(
  { trigger }: CompactionOrder,
  { marker: before, replaced, rest, asked }: Split,
  { summary, archive, cut, kept, keptShown }: Replacement & Pick<CompactionMarker, 'archive'>,
): CompactionMarker {
  const { system: earlier = [], replaced: count = 0 } = before?.marker ?? {}
  const added = messagesOf(replaced).filter(({ role }) => role === 'system')
  const system = [...earlier, ...added.map(withoutId)]
  const [first] = rest
  return {
    kind: 'compaction',
    summary,
    archive,
    ...(first ? { keptFrom: first.entryId } : {}),
    replaced: count + cut,
    ...(asked.length > 0 ? { asked } : {}),
    ...(system.length > 0 ? { system } : {}),
    ...(kept.length > 0 ? { kept } : {}),
    ...(keptShown === undefined ? {} : { keptShown }),
    trigger,
  }
}

/** The replaced messages as JSON lines, with the summary in front that they followed. */
function archiveOf({ marker, replaced }: Split) {
  const before = marker ? [{ entryId: marker.entryId, compaction: marker.marker }] : []
  const lines = [...before, ...replaced.map(({ entryId, message }) => ({ entryId, message }))]
  return archiveFile(lines)
}

function tokensOf({ marker, replaced, rest }: Split): number {
  const messages = messagesOf([...replaced, ...rest])
  return tokensIn(marker ? [markerMessage(marker.marker), ...messages] : messages)
}

function messagesOf(nodes: readonly MessageNode[]): readonly Message[] {
  return nodes.map(({ message }) => message)
}

function withoutId({ id: _, ...message }: Message): Message {
  return message
}
