import { HostError, type Message } from '@braidwork/plugin'
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
import type { CompactionPolicy } from './compaction-section.ts'
import { findCut } from './cut.ts'
import { keptFacts } from './kept-facts.ts'
import { type AskModel, summarize } from './summarize.ts'

/** A compaction to do. */
export interface CompactionOrder {
  readonly storage: {
    readonly conversations: Pick<ConversationStorage, 'above' | 'append'>
    readonly files: Pick<FileStorage, 'load' | 'put'>
  }
  readonly owner: string
  readonly conversationId: string
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
}

/** The part of a path that a summary replaces, and what follows. */
interface Split {
  readonly marker?: MarkerNode
  readonly replaced: readonly MessageNode[]
  readonly rest: readonly MessageNode[]
}

/**
 * Compacts a conversation: a summary takes the place of its older messages for the model. All entries stay stored.
 * First the archive is stored, then the marker that names it. What is appended meanwhile stays as it is. CT-23, AW-43
 * @throws {HostError} COMPACTION_NEEDLESS if nothing can be replaced; COMPACTION_FAILED; CONVERSATION_UNKNOWN;
 * STORAGE_FAILED; what `ask` throws
 */
export async function compactConversation(order: CompactionOrder): Promise<Compacted> {
  const { storage, owner, conversationId, environment, policy, ask } = order
  const split = splitOf(shownPath(await loadShownNodes(order)), policy)
  const previous = split.marker?.marker.summary
  const replaced = split.replaced.map(({ message }) => message)
  const spoken = replaced.filter(({ role }) => role !== 'system')
  const summary = await summarize(
    { messages: spoken, ...(previous === undefined ? {} : { previous }) },
    policy,
    ask,
  )
  const archive = await storage.files.put(owner, archiveOf(split), conversationId)
  const marker = markerOf(order, split, { summary, archive })
  const entryId = environment.newId('message')
  const entries = [{ ...marker, id: entryId }]
  await storage.conversations.append(owner, conversationId, { entries }, environment.now())
  const after = [markerMessage({ entryId, parent: undefined, marker }), ...messagesOf(split.rest)]
  return { entryId, marker, tokens: { before: tokensOf(split), after: tokensIn(after) } }
}

function splitOf(
  { marker, messages }: ReturnType<typeof shownPath>,
  { suffix }: CompactionPolicy,
): Split {
  const cut = findCut(messagesOf(messages), suffix)
  if (cut === undefined) throw needless()
  const split = { replaced: messages.slice(0, cut), rest: messages.slice(cut) }
  return marker ? { ...split, marker } : split
}

function needless(): HostError {
  const message =
    'Nothing can be compacted: the latest message of the user and what follows stay as they are, and before them there is too little.'
  return new HostError('COMPACTION_NEEDLESS', message)
}

function markerOf(
  { trigger }: CompactionOrder,
  { marker: before, replaced, rest }: Split,
  named: Pick<CompactionMarker, 'summary' | 'archive'>,
): CompactionMarker {
  const { system: earlier = [], kept: known, replaced: count = 0 } = before?.marker ?? {}
  const messages = messagesOf(replaced)
  const system = [...earlier, ...messages.filter(({ role }) => role === 'system').map(withoutId)]
  const kept = keptFacts(messages, messagesOf(rest), known)
  const [first] = rest
  return {
    kind: 'compaction',
    ...named,
    ...(first ? { keptFrom: first.entryId } : {}),
    replaced: count + messages.length,
    ...(system.length > 0 ? { system } : {}),
    ...(kept.length > 0 ? { kept } : {}),
    trigger,
  }
}

/** The replaced messages as JSON lines, with the summary in front that they followed. */
function archiveOf({ marker, replaced }: Split) {
  const before = marker ? [{ entryId: marker.entryId, compaction: marker.marker }] : []
  const lines = [...before, ...replaced.map(({ entryId, message }) => ({ entryId, message }))]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  return {
    mediaType: 'application/x-ndjson',
    name: 'compacted-messages.jsonl',
    bytes: Buffer.from(text),
  }
}

function tokensOf({ marker, replaced, rest }: Split): number {
  const messages = messagesOf([...replaced, ...rest])
  return tokensIn(marker ? [markerMessage(marker), ...messages] : messages)
}

function messagesOf(nodes: readonly MessageNode[]): readonly Message[] {
  return nodes.map(({ message }) => message)
}

function withoutId({ id: _, ...message }: Message): Message {
  return message
}
