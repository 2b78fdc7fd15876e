import type { Conversation, Entry } from '@braidwork/agent'
import { copiedEntries, type NewEntry } from '@braidwork/agent/internal'
import { readJson } from '../bodies/index.ts'
import type { RouteContext, Services } from '../context.ts'
import { namedEntry } from '../conversations/index.ts'
import { OwnFields } from '../own-fields.ts'
import { orderOf } from '../run-order.ts'
import { copySettings } from '../settings/index.ts'

/** The maximum length of a title, in characters. */
const LONGEST_TITLE = 1000

/** The title in a request. A blank one is none. @throws {HostError} REQUEST_INVALID */
export function titleIn(input: OwnFields): string | undefined {
  const title = input.nullableText('title', LONGEST_TITLE)
  return title?.trim() ? title : undefined
}

/**
 * Creates a new conversation from the messages of another one, up to a given message. It has the same title, if the
 * caller names no other.
 * @throws {HostError} ENTRY_UNKNOWN, REQUEST_INVALID, and those of a quota
 */
export async function branched(
  c: RouteContext,
  services: Services,
  conversation: Conversation,
): Promise<object> {
  const { id, owner, agent, sender, title: origin } = conversation
  const { storage, environment, limits, quotas } = services
  const input = new OwnFields(await readJson(c.req.raw, limits), ['messageId', 'title'])
  const title = titleIn(input) ?? origin
  const need = {
    bytes: await storage.conversations.size(owner, id),
    conversations: 1,
    files: await storage.files.count(owner, id),
  }
  const last = await entryOf(services, input, conversation)
  const path = await storage.conversations.history(owner, id, last)
  const entries = await copiesOf(path, services, { owner, id })
  const now = environment.now()
  const branch = environment.newId('conversation')
  const titled = title === undefined ? {} : { title }
  await quotas.keep(c.get('identity'), need, async () => {
    await storage.conversations.create({ id: branch, owner, agent, sender, ...titled }, now)
    await storage.conversations.append(owner, branch, { entries }, now)
    await storage.files.share(owner, id, branch)
  })
  await copySettings(storage, owner, { from: id, to: branch })
  return { id: branch, agent, ...titled, createdAt: now, updatedAt: now }
}

/** Copies of entries for a branch. A run belongs to one conversation, so its copies only name it as their origin. */
async function copiesOf(
  path: readonly Entry[],
  { storage, environment }: Services,
  { owner, id: conversationId }: Pick<Conversation, 'owner' | 'id'>,
): Promise<readonly NewEntry[]> {
  const orders = new Map(
    (await storage.runs.list(owner, conversationId)).map((run) => [run.id, orderOf(run)]),
  )
  const copies = copiedEntries(path, () => environment.newId('message'))
  return copies.map(({ runId, ...copy }): NewEntry => {
    const { agent, createdAt } = orders.get(runId ?? '') ?? {}
    if (runId === undefined || agent === undefined || createdAt === undefined) return copy
    return { ...copy, origin: { runId, conversationId, agent, createdAt } }
  })
}

/** Returns the entry at which a branch ends, found by message id. By default this is the head. */
async function entryOf(
  { storage }: Services,
  input: OwnFields,
  conversation: Conversation,
): Promise<string | undefined> {
  const id = input.text('messageId')
  if (id === undefined) return undefined
  const entries = await storage.conversations.entries(conversation.owner, conversation.id)
  return namedEntry(entries, conversation, { id, field: 'messageId' })
}
