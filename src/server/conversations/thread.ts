import type { Conversation, StoredRun } from '@braidwork/agent'
import {
  type Append,
  historyOfNodes,
  loadShownNodes,
  type NewConversation,
  type NewEntry,
  openCalls,
  untoldWhileWaiting,
} from '@braidwork/agent/internal'
import {
  HostError,
  type Message,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
} from '@braidwork/plugin'
import type { Services } from '../context.ts'
import type { Identity } from '../identity.ts'
import { resultsIn, unansweredIn, withUsage } from '../unanswered.ts'
import { keptConversation } from './kept.ts'

/** Begins the ids of conversations that are made to keep responses. */
const OF_RESPONSES = 'responses_'

/** The stored conversation that a request continues. */
export interface Thread {
  readonly conversationId: string
  /** Whether the conversation was created for this request. */
  readonly isNew: boolean
  readonly append: Append
  /** Of the entries, those with the messages of the request. */
  readonly input: readonly NewEntry[]
  /** All messages for the model. */
  readonly messages: readonly Message[]
}

export interface ThreadRequest {
  /** The new messages of the request. */
  readonly messages: readonly Message[]
  readonly agent: string
  /** The run that the request continues from, if any. */
  readonly previous: StoredRun | undefined
  readonly conversationId?: string
  /** When the response expires, in milliseconds since 1970. Null if it never does. By default the conversation decides. */
  readonly expiresAt?: number | null
}

/**
 * Finds the place at which a stored request continues: after the response of the run that it names, at the head of
 * a conversation, or in a new conversation. System messages apply to this request only and are not stored.
 * A call that is still open there, and that the request does not answer, ends.
 * @throws {HostError} RUN_UNKNOWN if the named run was not stored; CONVERSATION_UNKNOWN; REQUEST_INVALID for the result
 * of a call that is not open
 */
export async function startThread(
  identity: Identity,
  services: Services,
  { messages, agent, previous, conversationId, expiresAt }: ThreadRequest,
): Promise<Thread> {
  const { environment } = services
  const own = () => `${OF_RESPONSES}${environment.newId('conversation')}`
  const id = previous ? keptIn(previous) : (conversationId ?? own())
  const known = await keptConversation(services, identity.id, id)
  if (!known && conversationId !== undefined) throw conversationUnknown(id)
  const wanted = { id, owner: identity.id, agent, sender: identity.id }
  const { createdAt } = known
    ? await expiring(known, expiresAt, services)
    : await created(wanted, expiresAt, { ...services, identity })
  const { at, settled, added, all } = await readOn(identity, services, { id, messages, previous })
  const entryOf = (message: Message): NewEntry => ({
    kind: 'message',
    id: environment.newId('message'),
    message,
  })
  const input = added.map(entryOf)
  return {
    conversationId: id,
    isNew: known === undefined,
    append: {
      entries: [...settled.map(entryOf), ...input],
      ...(at === undefined ? {} : { parent: at }),
      createdAt,
    },
    input,
    messages: all,
  }
}

/** Sets when a conversation expires, if it does so at all. */
async function expiring(
  known: Conversation,
  expiresAt: ThreadRequest['expiresAt'],
  { storage, environment }: Pick<Services, 'storage' | 'environment'>,
): Promise<Conversation> {
  if (known.expiresAt === undefined || expiresAt === undefined) return known
  const { owner, id } = known
  return storage.conversations.update(owner, id, { expiresAt }, environment.now())
}

function created(
  wanted: NewConversation,
  expiresAt: ThreadRequest['expiresAt'],
  {
    storage,
    environment,
    quotas,
    identity,
  }: Pick<Services, 'storage' | 'environment' | 'quotas'> & { readonly identity: Identity },
): Promise<Conversation> {
  const expiry = typeof expiresAt === 'number' ? { expiresAt } : {}
  return quotas.keep(identity, { conversations: 1 }, () =>
    storage.conversations.create({ ...wanted, ...expiry }, environment.now()),
  )
}

/**
 * Deletes the run of a response. A conversation that was made to keep responses goes with its last one; any other stays,
 * with what was said.
 */
export async function deleteResponse(
  { storage }: Pick<Services, 'storage'>,
  { id, owner, conversationId }: StoredRun,
): Promise<void> {
  await storage.runs.delete(owner, id)
  if (!conversationId?.startsWith(OF_RESPONSES)) return
  if (await storage.runs.last(owner, conversationId)) return
  await storage.conversations.delete(owner, conversationId)
}

function conversationUnknown(id: string): HostError {
  return new HostError('CONVERSATION_UNKNOWN', `There is no conversation "${id.slice(0, 100)}".`)
}

/**
 * Returns all messages for the model of a request that is not stored itself, behind those of the response or the
 * conversation that it continues.
 * @throws {HostError} RUN_UNKNOWN if the response was not stored; CONVERSATION_UNKNOWN
 */
export async function continuedMessages(
  identity: Identity,
  services: Services,
  { messages, previous, conversationId }: Omit<ThreadRequest, 'agent'>,
): Promise<readonly Message[]> {
  const id = previous ? keptIn(previous) : conversationId
  if (id === undefined) return messages
  if (!previous && !(await keptConversation(services, identity.id, id))) {
    throw conversationUnknown(id)
  }
  const { all } = await readOn(identity, services, { id, messages, previous })
  return all
}

interface Reading {
  readonly id: string
  readonly messages: readonly Message[]
  readonly previous: StoredRun | undefined
}

/** Reads the history that a request continues, and puts the new messages behind it. */
async function readOn(
  { id: owner }: Identity,
  { storage }: Services,
  { id, messages, previous }: Reading,
) {
  const own = messages.filter(({ role }) => role !== 'system')
  const system = messages.filter(({ role }) => role === 'system')
  const at = previous && (await endOf(storage, { owner, id, runId: previous.id }))
  const history = historyOfNodes(await loadShownNodes({ storage, owner, conversationId: id }, at))
  const added = named(own, history)
  assertAnswers(added, history)
  const ends = unansweredIn(history, added)
  const waiting = ends.length === 0 ? undefined : (previous ?? (await storage.runs.open(owner, id)))
  const settled = waiting ? withUsage(ends, await untoldWhileWaiting(waiting, storage)) : ends
  return { at, settled, added, all: [...system, ...history, ...settled, ...added] }
}

/**
 * Checks that each result of a request is that of a call that is open. A client may have several calls with the same id,
 * since some model APIs repeat theirs.
 * @throws {HostError} REQUEST_INVALID
 */
function assertAnswers(added: readonly Message[], history: readonly Message[]): void {
  const made = added.flatMap(({ parts }) => parts.filter(isOwnCall))
  const open = new Map<string, number>()
  for (const { callId } of [...openCalls(history), ...made]) {
    open.set(callId, (open.get(callId) ?? 0) + 1)
  }
  for (const { callId } of resultsIn(added)) {
    const left = open.get(callId) ?? 0
    open.set(callId, left - 1)
    if (left > 0) continue
    const message = `The conversation has no open call "${callId.slice(0, 100)}".`
    throw new HostError('REQUEST_INVALID', message, { pointer: '/input' })
  }
}

/** Whether a part is a call that the provider did not run itself. */
function isOwnCall(part: Part): part is ToolCallPart {
  return part.type === 'tool-call' && !part.providerExecuted
}

/** The last entry of a run, or the marker of a compaction that follows it at the head of the conversation. */
async function endOf(
  { conversations }: Services['storage'],
  { owner, id, runId }: { readonly owner: string; readonly id: string; readonly runId: string },
): Promise<string | undefined> {
  const last = await conversations.lastOf(owner, id, runId)
  if (last === undefined) return undefined
  let head: string | undefined
  for await (const entry of conversations.above(owner, id)) {
    head ??= entry.id
    if (entry.id === last) return head
    if (entry.kind !== 'compaction') break
  }
  return last
}

function keptIn({ id, conversationId }: StoredRun): string {
  if (conversationId !== undefined) return conversationId
  throw new HostError('RUN_UNKNOWN', `The response "resp_${id}" was not stored.`, {
    pointer: '/previous_response_id',
  })
}

/** Adds to each tool result the name of the call that it answers, which may be in the stored history. */
export function named(
  messages: readonly Message[],
  history: readonly Message[],
): readonly Message[] {
  const names = new Map(
    history.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-call' ? [[part.callId, part.name]] : [])),
    ) as readonly (readonly [string, string])[],
  )
  const withName = (part: ToolResultPart): ToolResultPart => ({
    ...part,
    name: part.name || (names.get(part.callId) ?? ''),
  })
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => (part.type === 'tool-result' ? withName(part) : part)),
  }))
}
