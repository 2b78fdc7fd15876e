import type { Conversation, Entry } from '@braidwork/agent'
import { copiedEntries, type NewEntry } from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'
import { readJson } from '../body.ts'
import type { RouteContext, Services } from '../context.ts'
import { OwnFields } from '../own-fields.ts'
import { orderOf } from '../run-order.ts'
import { copySettings } from '../stored-settings.ts'

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
  { id, owner, agent, sender, title: origin }: Conversation,
): Promise<object> {
  const { storage, environment, limits, quotas } = services
  const input = new OwnFields(await readJson(c.req.raw, limits), ['messageId', 'title'])
  const title = titleIn(input) ?? origin
  const need = {
    bytes: await storage.conversations.size(owner, id),
    conversations: 1,
    files: await storage.files.count(owner, id),
  }
  const path = await storage.conversations.history(owner, id, await entryOf(c, services, input))
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
  c: RouteContext,
  { storage }: Services,
  input: OwnFields,
): Promise<string | undefined> {
  const messageId = input.text('messageId')
  if (messageId === undefined) return undefined
  const { id: owner } = c.get('identity')
  const entries = await storage.conversations.entries(owner, c.req.param('id') ?? '')
  const entry = entries.find(
    (one) => one.id === messageId || (one.kind === 'message' && one.message.id === messageId),
  )
  if (!entry) {
    throw new HostError('ENTRY_UNKNOWN', `There is no message "${messageId.slice(0, 100)}".`, {
      pointer: '/messageId',
    })
  }
  // A response of several messages stays whole, so the branch ends with the last entry of its run.
  return (
    entries.findLast((one) => one.runId !== undefined && one.runId === entry.runId)?.id ?? entry.id
  )
}
