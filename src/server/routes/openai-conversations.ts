import type { Conversation } from '@braidwork/agent'
import { type NewEntry, shownMessages } from '@braidwork/agent/internal'
import { HostError, type Message } from '@braidwork/plugin'
import type { Context, Hono } from 'hono'
import { readJson } from '../bodies/index.ts'
import type { RouteContext, RouteVariables, Services } from '../context.ts'
import { named } from '../conversations/index.ts'
import { ignoredHeaders } from '../headers.ts'
import {
  deleteItem,
  itemsOfConversation,
  itemsOnPath,
  knownItems,
  type PathItem,
  pageOf,
} from '../items/index.ts'
import { unansweredIn } from '../unanswered.ts'
import { type Fields, fieldsOf } from '../wire/index.ts'
import { decodeItems, referencesIn } from '../wire/responses/index.ts'
import { assertIdle, conversationOf, deleteConversation, MOST_METADATA } from './conversations.ts'

type App = Hono<{ Variables: RouteVariables }>
type Metadata = Conversation['metadata']

/** The routes of OpenAI's Conversations API, over the conversations that all protocols share. */
export function openaiConversationRoutes(app: App, services: Services): void {
  const { storage, environment } = services

  app.post('/v1/conversations', async (c) => c.json(await created(c, services)))

  app.get('/v1/conversations/:id', async (c) => c.json(shownOf(await conversationOf(c, services))))

  app.post('/v1/conversations/:id', async (c) => {
    const { owner, id } = await conversationOf(c, services)
    const fields = fieldsOf(await readJson(c.req.raw, services.limits))
    const metadata = metadataIn(fields) ?? {}
    await services.quotas.assertRoom(c.get('identity'), { bytes: bytesOf(metadata) })
    const now = environment.now()
    return c.json(shownOf(await storage.conversations.update(owner, id, { metadata }, now)))
  })

  app.delete('/v1/conversations/:id', async (c) => {
    const { id } = await conversationOf(c, services)
    await deleteConversation(c, services)
    return c.json({ id, object: 'conversation.deleted', deleted: true })
  })

  itemRoutes(app, services)
}

function itemRoutes(app: App, services: Services): void {
  const itemsOf = async (c: RouteContext) => {
    const { owner, id } = await conversationOf(c, services)
    return itemsOfConversation(services, owner, id)
  }

  app.get('/v1/conversations/:id/items', async (c) => c.json(pageOf(await itemsOf(c), c)))

  app.post('/v1/conversations/:id/items', async (c) => {
    const conversation = await conversationOf(c, services)
    const fields = fieldsOf(await readJson(c.req.raw, services.limits))
    return added(c, services, { conversation, fields })
  })

  app.get('/v1/conversations/:id/items/:item', async (c) =>
    c.json(itemNamed(c, await itemsOf(c)).item),
  )

  app.delete('/v1/conversations/:id/items/:item', async (c) => {
    const conversation = await conversationOf(c, services)
    await assertIdle(services, conversation)
    await deleteItem(services, conversation, itemNamed(c, await itemsOf(c)))
    return c.json(shownOf(conversation))
  })
}

async function created(c: RouteContext, services: Services): Promise<object> {
  const { storage, environment, limits, catalog, quotas } = services
  const identity = c.get('identity')
  const body = await readJson(c.req.raw, limits)
  const fields = fieldsOf(body)
  const metadata = metadataIn(fields)
  const entries = (await entriesIn(c, services, { fields, body: { input: fields.any('items') } }))
    .own
  const made = {
    id: `conv_${environment.newId('conversation')}`,
    owner: identity.id,
    agent: (await catalog.find(identity, undefined)).name,
    sender: identity.id,
    ...(metadata === undefined ? {} : { metadata }),
  }
  const need = { bytes: bytesOf(metadata), conversations: 1 }
  const conversation = await quotas.keep(identity, need, () =>
    storage.conversations.create(made, environment.now()),
  )
  const { owner, id } = conversation
  if (entries.length > 0)
    await storage.conversations.append(owner, id, { entries }, environment.now())
  return shownOf(conversation)
}

interface Adding {
  readonly conversation: Conversation
  readonly fields: Fields
}

/** Adds items at the end of a conversation. */
async function added(
  c: RouteContext,
  services: Services,
  { conversation, fields }: Adding,
): Promise<Response> {
  const { storage, environment, quotas } = services
  const { owner, id } = conversation
  await assertIdle(services, conversation)
  await quotas.assertRoom(c.get('identity'))
  await quotas.assertGrows(c.get('identity'), id)
  const body = { input: fields.any('items'), conversation: id }
  const { own, ended, ignored } = await entriesIn(c, services, { fields, body })
  const entries = [...ended, ...own]
  await storage.conversations.append(owner, id, { entries }, environment.now())
  const placed = own.map((entry, seq) => ({ ...entry, seq, createdAt: 0 }))
  const data = itemsOnPath(placed, () => undefined).map(({ item }) => item)
  const [first_id, last_id] = [data[0]?.id ?? null, data.at(-1)?.id ?? null]
  const list = { object: 'list', data, first_id, last_id, has_more: false }
  return (c as Context).json(list, 200, ignoredHeaders({ ignored }))
}

interface AddedEntries {
  readonly own: readonly NewEntry[]
  /** The end of the open calls that the conversation goes on without. */
  readonly ended: readonly NewEntry[]
  readonly ignored: readonly string[]
}

/** Decodes new items as entries. @param given `body` has them in the form of a request of the Responses API */
async function entriesIn(
  c: RouteContext,
  services: Services,
  { fields, body }: { readonly fields: Fields; readonly body: object },
): Promise<AddedEntries> {
  const references = referencesIn(body)
  const known = await knownItems(services, c.get('identity'), references)
  const { messages, ignored } = decodeItems(fields, known)
  const { conversationId: id } = references
  const { conversations } = services.storage
  const path = id === undefined ? [] : await conversations.history(c.get('identity').id, id)
  const history = shownMessages(path).map(({ message }) => message)
  const own = named(messages, history)
  // Results may come one after the other.
  const goesOn = own.some(({ role }) => role !== 'tool')
  const entryOf = (message: Message): NewEntry => ({
    kind: 'message',
    id: services.environment.newId('message'),
    message,
  })
  const ended = goesOn ? unansweredIn(history, own) : []
  return { own: own.map(entryOf), ended: ended.map(entryOf), ignored }
}

/** @throws {HostError} ENTRY_UNKNOWN */
function itemNamed(c: RouteContext, items: readonly PathItem[]): PathItem {
  const id = c.req.param('item') ?? ''
  const found = items.find(({ item }) => item.id === id)
  if (found) return found
  throw new HostError(
    'ENTRY_UNKNOWN',
    `The conversation has no item "${id.slice(0, 100)}"; it was deleted, or belongs to another conversation.`,
  )
}

/** @throws {HostError} REQUEST_INVALID, REQUEST_TOO_LARGE */
function metadataIn(fields: Fields): Metadata | undefined {
  const metadata = fields.raw('metadata')
  if (bytesOf(metadata) <= MOST_METADATA) return metadata
  const message = `"metadata" is larger than ${MOST_METADATA} bytes of JSON.`
  throw new HostError('REQUEST_TOO_LARGE', message, { pointer: '/metadata' })
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

function shownOf({ id, createdAt, metadata }: Conversation): object {
  return { id, object: 'conversation', created_at: Math.floor(createdAt / 1000), metadata }
}
