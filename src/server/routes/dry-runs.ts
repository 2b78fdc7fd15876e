import type { Conversation } from '@braidwork/agent'
import { historyOfNodes, nodesOf, withArchiveChecked } from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'
import type { Hono } from 'hono'
import { readJson } from '../bodies/index.ts'
import type { RouteContext, RouteVariables, Services } from '../context.ts'
import { OwnFields } from '../own-fields.ts'
import { orderOf, type RunOrder } from '../run-order.ts'
import { sdkVersionOf } from '../sdk-version.ts'
import { pastRequest } from '../turns/index.ts'
import { conversationOf } from './conversations.ts'

const NOTE =
  'Computed again from what is stored. Plugins, settings and the config may have changed since.'
const NOTE_OF_GONE =
  'The run of this answer was deleted with its conversation: its settings are those of the next turn.'

/**
 * The route that shows what a model API is sent for an answer. It names models and shows prompts, which only admins may
 * know: for others it does not exist.
 */
export function dryRunRoutes(app: Hono<{ Variables: RouteVariables }>, services: Services): void {
  app.post('/api/conversations/:id/dry-run', async (c) =>
    c.get('identity').role === 'admin' ? c.json(await dryRun(c, services)) : c.notFound(),
  )
}

/** @throws {HostError} CONVERSATION_UNKNOWN, ENTRY_UNKNOWN, REQUEST_INVALID, OPERATION_UNSUPPORTED, and those of a run */
async function dryRun(c: RouteContext, services: Services): Promise<object> {
  const { runs, storage, limits } = services
  const conversation = await conversationOf(c, services)
  const { owner, id: conversationId } = conversation
  const input = new OwnFields(await readJson(c.req.raw, limits), ['messageId', 'step', 'sdk'])
  // Chat pages name it in all their requests. Ids are the same for all versions.
  sdkVersionOf(input.text('sdk'))
  const path = nodesOf(await storage.conversations.history(owner, conversationId))
  const asked = { messageId: input.text('messageId'), step: input.count('step') }
  const { before, origin, step, lastStep, ...past } = pastRequest(path, asked)
  const stored = { storage, owner, conversationId }
  const messages = historyOfNodes(await withArchiveChecked(before, stored))
  const runId = past.runId ?? origin?.runId
  const run = runId === undefined ? undefined : await storage.runs.load(owner, runId)
  const { agent } = origin ?? conversation
  const order = run ? orderOf(run) : await nextOrder(c, services, { ...conversation, agent })
  if (order.call) {
    const message = 'The client made the call itself, so no model was asked.'
    throw new HostError('OPERATION_UNSUPPORTED', message)
  }
  const work = { identity: c.get('identity'), order, messages, conversationId, isStored: true }
  const { native, steps, model } = await runs.work.dryRun(work, c.req.raw.signal)
  const isGone = runId !== undefined && !run
  const told = isGone ? { note: `${NOTE} ${NOTE_OF_GONE}`, isRunGone: true } : { note: NOTE }
  return { model, request: native, steps, step, lastStep, ...told }
}

/** The order of the next turn, for messages of which no run is known, or whose run was deleted. */
function nextOrder(
  c: RouteContext,
  { runs, environment }: Services,
  { id: conversationId, agent }: Conversation,
): Promise<RunOrder> {
  const order = {
    protocol: 'ui-message-stream',
    agent,
    messageId: environment.newId('message'),
    createdAt: environment.now(),
    settings: {},
    tools: [],
    asks: true,
  }
  const { headers } = c.req.raw
  const work = { identity: c.get('identity'), order, messages: [], conversationId, headers }
  return runs.work.decided({ ...work, isStored: true })
}
