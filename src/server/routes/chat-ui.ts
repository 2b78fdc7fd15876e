import { createHash } from 'node:crypto'
import type { StoredRun } from '@braidwork/agent'
import { openCalls } from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'
import type { Hono } from 'hono'
import { readJson } from '../bodies/index.ts'
import type { RouteContext, RouteVariables, Services } from '../context.ts'
import { clientRequest } from '../conversations/index.ts'
import type { Dialect, StreamDialect } from '../dialect.ts'
import { ignoredHeaders, repeatKeyOf } from '../headers.ts'
import { respondStream } from '../respond.ts'
import { sdkVersionOf } from '../sdk-version.ts'
import { answerBefore, askingAgain, continuing, introducing, replaying } from '../turns/index.ts'
import { defined, type RunFacts, type StreamEncoder } from '../wire/index.ts'
import {
  canResetStep,
  decodeUiRequest,
  type SdkVersion,
  UI_MESSAGE_STREAM_HEADERS,
  type UiMessageStreamOptions,
  type UiRequest,
  uiErrorAnswer,
  uiMessageEncoder,
} from '../wire/ui-message-stream/index.ts'

const PROTOCOL = 'ui-message-stream'
const REMEDY =
  'Send the new message alone, as "message", and its files before it, by POST /api/conversations/{id}/files.'

export const CHAT_UI_DIALECT: Dialect = { errorAnswer: uiErrorAnswer }

/** The routes for `useChat` of the AI SDK, and for resuming and stopping its streams. */
export function chatUiRoutes(app: Hono<{ Variables: RouteVariables }>, services: Services): void {
  const { runs, turns, storage, limits, heartbeat } = services

  app.post('/api/chat', async (c) => {
    const sdk = sdkOf(c)
    const identity = c.get('identity')
    const decoded = decodeUiRequest(await readJson(c.req.raw, limits, { remedy: REMEDY }))
    const request = await clientRequest(c, services, decoded, '/agent')
    const key = await repeatKeyOf(c.req.raw, PROTOCOL, request)
    const { headers: sent } = c.req.raw
    const canReset = canResetStep(defined({ sdk }))
    const asked = { identity, protocol: PROTOCOL, request, canReset, headers: sent, ...key }
    const { run, awaited } = await turns.take(asked)
    const before = await answerBefore(run, storage)
    const ownId = ownIdOf(decoded)
    const pending = openCalls(before.all).map(({ callId }) => callId)
    const dialect = dialectOf(
      { ...defined({ sdk }), pending },
      (encoder) => {
        const next = continuing(encoder, before)
        if (awaited) return askingAgain(next, awaited)
        return ownId === undefined ? next : introducing(next, before)
      },
      ownId,
    )
    const headers = ignoredHeaders(request)
    return respondStream(run, dialect, { runs, request: c.req.raw, heartbeat, headers })
  })

  app.get('/api/chat/:id/stream', async (c) => {
    const sdk = sdkOf(c)
    const run = await runToRead(c, services)
    if (!run) return new Response(null, { status: 204 })
    const before = await answerBefore(run, storage)
    const dialect = dialectOf(defined({ sdk }), (encoder) => replaying(encoder, before))
    return respondStream(run, dialect, { runs, request: c.req.raw, heartbeat, after: -1 })
  })

  app.post('/api/chat/:id/stop', async (c) => {
    const identity = c.get('identity')
    const run = await storage.runs.open(identity.id, c.req.param('id'))
    return c.json({ stopped: run ? await runs.stop(identity, run.id) : false })
  })
}

/**
 * Returns the run that the query names, in any state. Without a name returns the active run, if any.
 * @throws {HostError} RUN_UNKNOWN
 */
async function runToRead(
  c: RouteContext,
  { runs, storage }: Services,
): Promise<StoredRun | undefined> {
  const conversationId = c.req.param('id') ?? ''
  const named = c.req.query('run')
  if (named === undefined) {
    const open = await storage.runs.open(c.get('identity').id, conversationId)
    return open?.status === 'active' ? open : undefined
  }
  const run = await runs.find(c.get('identity'), named)
  if (run.conversationId === conversationId) return run
  throw new HostError('RUN_UNKNOWN', `There is no run "${named.slice(0, 100)}" here.`, {
    pointer: '/run',
  })
}

/**
 * Returns the client's AI SDK version, from `?sdk=` or a header. `DefaultChatTransport` appends a path to the
 * address to resume a stream, which breaks a query, but it sends its `headers` with both requests.
 * @throws {HostError} REQUEST_INVALID
 */
function sdkOf(c: RouteContext): SdkVersion | undefined {
  return sdkVersionOf(c.req.query('sdk') ?? c.req.header('x-braidwork-sdk'))
}

/**
 * What the id of a response has behind that of the answer, if approvals are answered in a message of the user: the client
 * shows the rest behind that message. With the id of the answer, the rest would take the place of what came before.
 */
function ownIdOf({ continues, approvals }: UiRequest): string | undefined {
  const { approvalId } = approvals.at(-1) ?? {}
  if (continues !== undefined || approvalId === undefined) return undefined
  return createHash('sha256').update(approvalId).digest('base64url').slice(0, 12)
}

/** The protocol in the form that the client's SDK version expects. */
function dialectOf(
  options: UiMessageStreamOptions,
  within: (encoder: StreamEncoder) => StreamEncoder,
  ownId?: string,
): StreamDialect {
  const named = (facts: RunFacts): RunFacts =>
    ownId === undefined ? facts : { ...facts, messageId: `${facts.messageId}.${ownId}` }
  return {
    ...CHAT_UI_DIALECT,
    headers: UI_MESSAGE_STREAM_HEADERS,
    encoder: (facts) => within(uiMessageEncoder(named(facts), options)),
  }
}
