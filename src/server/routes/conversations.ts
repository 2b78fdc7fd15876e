import type { Conversation } from '@braidwork/agent'
import type { NewConversation } from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'
import type { Hono } from 'hono'
import { readJson } from '../bodies/index.ts'
import type { RouteContext, RouteVariables, Services } from '../context.ts'
import { endOfVersion, historyFor, keptConversation, namedEntry } from '../conversations/index.ts'
import { OwnFields } from '../own-fields.ts'
import { branched, titleIn } from './branches.ts'
import { listed, shownOf } from './conversation-list.ts'

/** The maximum size of a conversation's metadata, in bytes of JSON. */
export const MOST_METADATA = 16 << 10
/** The longest id that a client may give to a message for a run, in characters. */
const LONGEST_MESSAGE_ID = 200

/** The routes for the caller's conversations. */
export function conversationRoutes(
  app: Hono<{ Variables: RouteVariables }>,
  services: Services,
): void {
  app.get('/api/conversations', async (c) => c.json(await listed(c, services)))
  app.post('/api/conversations', async (c) => c.json(await created(c, services), 201))

  app.get('/api/conversations/:id', async (c) => {
    const conversation = await conversationOf(c, services)
    const { sdk, format } = c.req.query()
    const history = await historyFor(conversation, services, { sdk, format })
    const { messages, runs, ...more } = history
    const shown = JSON.stringify({ ...shownOf(conversation), ...runs, ...more })
    return c.body(`${shown.slice(0, -1)},"messages":${messages}}`, 200, {
      'content-type': 'application/json',
    })
  })

  app.patch('/api/conversations/:id', async (c) => c.json(await changed(c, services)))

  app.delete('/api/conversations/:id', async (c) => {
    await deleteConversation(c, services)
    return new Response(null, { status: 204 })
  })

  app.post('/api/conversations/:id/steer', async (c) => c.json(await steered(c, services)))
  app.post('/api/conversations/:id/compact', async (c) => c.json(await compacted(c, services)))
  app.post('/api/conversations/:id/branch', async (c) => {
    const conversation = await conversationOf(c, services)
    return c.json(await branched(c, services, conversation), 201)
  })
}

async function created(c: RouteContext, services: Services): Promise<object> {
  const { storage, environment, limits, catalog, quotas } = services
  const identity = c.get('identity')
  const body = await readJson(c.req.raw, limits)
  const input = new OwnFields(body, ['id', 'agent', 'title', 'metadata'])
  const about = aboutIn(input)
  const { name: agent } = await catalog.find(identity, input.text('agent'))
  const id = input.conversationId('id') ?? environment.newId('conversation')
  const made = { id, owner: identity.id, agent, sender: identity.id, ...about }
  const need = { bytes: bytesOf(about), conversations: 1 }
  const conversation = await quotas.keep(identity, need, () =>
    storage.conversations.create(made, environment.now()),
  )
  return shownOf(conversation)
}

async function changed(c: RouteContext, services: Services): Promise<object> {
  const { storage, environment, limits, quotas } = services
  const conversation = await conversationOf(c, services)
  const { id, owner } = conversation
  const input = new OwnFields(await readJson(c.req.raw, limits), [
    'title',
    'head',
    'version',
    'metadata',
  ])
  const { title, ...about } = aboutIn(input)
  const bytes = Buffer.byteLength(title ?? '') + bytesOf(about.metadata)
  // Removing a title or metadata is always possible, even over quota.
  if (bytes > 0) await quotas.assertRoom(c.get('identity'), { bytes })
  const change = {
    ...input.given('title', () => title ?? null),
    ...(await headIn(input, services, conversation)),
    ...about,
  }
  return shownOf(await storage.conversations.update(owner, id, change, environment.now()))
}

/**
 * Reads where the history is to end: at a message, or at the newest entry of the branch with a version of one.
 * @throws {HostError} CONVERSATION_BUSY, ENTRY_UNKNOWN, REQUEST_INVALID
 */
async function headIn(
  input: OwnFields,
  services: Services,
  conversation: Conversation,
): Promise<{ readonly head?: string | null }> {
  const { head, version } = {
    ...input.given('head', (key) => input.nullableText(key)),
    ...input.given('version', (key) => input.text(key)),
  }
  if (head === undefined && version === undefined) return {}
  if (head !== undefined && version !== undefined) {
    const message = '"head" and "version" both say where the history ends. Send one of them.'
    throw new HostError('REQUEST_INVALID', message, { pointer: '/version' })
  }
  await assertIdle(services, conversation)
  if (head === null) return { head }
  const { owner, id } = conversation
  const entries = await services.storage.conversations.entries(owner, id)
  if (version !== undefined) return { head: endOfVersion(entries, version) }
  return { head: namedEntry(entries, conversation, { id: head ?? '', field: 'head' }) }
}

/** Reads title and metadata from a request. @throws {HostError} REQUEST_INVALID, REQUEST_TOO_LARGE */
function aboutIn(input: OwnFields): Pick<NewConversation, 'title' | 'metadata'> {
  const title = titleIn(input)
  const metadata = input.object('metadata')
  if (bytesOf(metadata) > MOST_METADATA) {
    const message = `"metadata" is larger than ${MOST_METADATA} bytes of JSON.`
    throw new HostError('REQUEST_TOO_LARGE', message, { pointer: '/metadata' })
  }
  return {
    ...(title === undefined ? {} : { title }),
    ...(metadata === undefined ? {} : { metadata }),
  }
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

/**
 * Lets the caller say something to the active run of a conversation. Answers when the message has entered it. A message
 * whose id was said before enters once. CT-15
 */
async function steered(c: RouteContext, services: Services): Promise<object> {
  const { storage, environment, limits, quotas, runs } = services
  const { id: conversationId, owner } = await conversationOf(c, services)
  const input = new OwnFields(await readJson(c.req.raw, limits), ['text', 'id'])
  const text = input.text('text')
  if (text === undefined || text.trim() === '') {
    throw new HostError('REQUEST_INVALID', '"text" must not be empty.', { pointer: '/text' })
  }
  const id = messageIdIn(input) ?? environment.newId('message')
  const known = await storage.conversations.knownMessages(owner, conversationId, [id])
  if (known.has(id)) return { entered: true }
  await quotas.assertRoom(c.get('identity'))
  const run = await storage.runs.open(owner, conversationId)
  if (run?.status !== 'active') {
    const message = `No run is active in the conversation "${conversationId}". Send the message as the next turn.`
    throw new HostError('RUN_NOT_ACTIVE', message)
  }
  await runs.say(run, { id, role: 'user', parts: [{ type: 'text', text }] })
  return { runId: run.id, entered: true }
}

/** The id that a client gives to its message. @throws {HostError} REQUEST_INVALID */
function messageIdIn(input: OwnFields): string | undefined {
  const id = input.text('id', LONGEST_MESSAGE_ID)
  if (id !== '') return id
  throw new HostError('REQUEST_INVALID', '"id" must not be empty.', { pointer: '/id' })
}

/** Compacts a conversation: the model is shown a summary in place of its older messages. CT-20 */
async function compacted(c: RouteContext, services: Services): Promise<object> {
  const conversation = await conversationOf(c, services)
  const { compactions } = services
  const done = await compactions.compact(c.get('identity'), conversation, c.req.raw.signal)
  const { summary, replaced, archive } = done.marker
  return { entryId: done.entryId, summary, replaced, archive, tokens: done.tokens }
}

/** Deletes the conversation of a request. Stops its run and its compaction first. @throws {HostError} CONVERSATION_UNKNOWN */
export async function deleteConversation(c: RouteContext, services: Services): Promise<void> {
  const { storage, runs, compactions } = services
  const conversation = await conversationOf(c, services)
  const { id, owner } = conversation
  const run = await storage.runs.open(owner, id)
  if (run) await runs.stop(c.get('identity'), run.id)
  await compactions.cancel(conversation)
  await storage.conversations.delete(owner, id)
}

/** Checks that no run writes to a conversation. @throws {HostError} CONVERSATION_BUSY */
export async function assertIdle(
  { storage }: Services,
  { owner, id }: Conversation,
): Promise<void> {
  if ((await storage.runs.open(owner, id))?.status !== 'active') return
  const message = `A run is active in the conversation "${id}". Wait until it ends, or stop it.`
  throw new HostError('CONVERSATION_BUSY', message)
}

/** @throws {HostError} CONVERSATION_UNKNOWN */
export async function conversationOf(c: RouteContext, services: Services): Promise<Conversation> {
  const id = c.req.param('id') ?? ''
  const conversation = await keptConversation(services, c.get('identity').id, id)
  if (conversation) return conversation
  throw conversationUnknown(id)
}

export function conversationUnknown(id: string): HostError {
  return new HostError('CONVERSATION_UNKNOWN', `There is no conversation "${id.slice(0, 100)}".`)
}
