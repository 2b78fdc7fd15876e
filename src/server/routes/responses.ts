import type { StoredRun } from '@braidwork/agent'
import { HostError, isObject } from '@braidwork/plugin'
import type { Hono } from 'hono'
import { readJson } from '../bodies/index.ts'
import type { RouteContext, RouteVariables, Services } from '../context.ts'
import {
  answerRun,
  beginResponse,
  clientRequest,
  deleteResponse,
  messagesOfRequest,
  responseRun,
  toolHeaders,
} from '../conversations/index.ts'
import { EVENT_STREAM_HEADERS, responseOf, runHeader, type StreamDialect } from '../dialect.ts'
import { ignoredHeaders } from '../headers.ts'
import { itemsOfRequest, knownItems, pageOf } from '../items/index.ts'
import { respondStream, respondWhole } from '../respond.ts'
import { factsOf, orderOf } from '../run-order.ts'
import { ESTIMATED, estimatedTokens } from '../token-estimates.ts'
import type { WireAnswer } from '../wire/index.ts'
import {
  decodeResponses,
  type ResponseAbout,
  referencesIn,
  responseInProgress,
  responsesAnswer,
  responsesEncoder,
} from '../wire/responses/index.ts'
import { RESPONSES_DIALECT } from './openai.ts'
import { openaiConversationRoutes } from './openai-conversations.ts'

/** The routes of OpenAI's Responses API, and of its conversations. */
export function responsesRoutes(
  app: Hono<{ Variables: RouteVariables }>,
  services: Services,
): void {
  const { runs } = services
  readingRoutes(app, services)
  countingRoute(app, services)
  openaiConversationRoutes(app, services)

  app.post('/v1/responses', async (c) => {
    const body = await readJson(c.req.raw, services.limits)
    const shown = shownTo(c)
    const request = await clientRequest(c, services, await decodedOf(c, services, body))
    const headers = await toolHeaders(c, services, request)
    const { run, isStored } = await beginResponse(c, services, request)
    if (request.background && !request.isStreaming) {
      return respondInProgress(run, { ...headers, ...ignoredHeaders(request) })
    }
    const options = { ...shown, about: aboutOf(run) }
    return answerRun(c, services, {
      run,
      request,
      isStored,
      headers,
      dialect: dialectOf(options),
      whole: (facts) => responsesAnswer(facts, options),
    })
  })

  app.post('/v1/responses/:id/cancel', async (c) => {
    const shown = shownTo(c)
    const run = await runOf(c, services)
    await runs.stop(c.get('identity'), run.id)
    const options = { ...shown, about: aboutOf(run), isRetrieved: true }
    const answer = responsesAnswer(factsOf(run), options)
    return respondWhole(run, answer, { runs, request: c.req.raw })
  })

  app.delete('/v1/responses/:id', async (c) => {
    const run = await runOf(c, services)
    await runs.stop(c.get('identity'), run.id)
    await deleteResponse(services, run)
    return c.json({ id: c.req.param('id'), object: 'response', deleted: true })
  })
}

/** The route that says how long a request is, by an estimate. */
function countingRoute(app: Hono<{ Variables: RouteVariables }>, services: Services): void {
  app.post('/v1/responses/input_tokens', async (c) => {
    const body = await namingModel(c, services, await readJson(c.req.raw, services.limits))
    const request = await clientRequest(c, services, await decodedOf(c, services, body))
    const messages = await messagesOfRequest(c.get('identity'), services, request)
    const counted = { input_tokens: await estimatedTokens(messages, request.tools) }
    const headers = { ...ESTIMATED, ...ignoredHeaders(request) }
    return c.json({ object: 'response.input_tokens', ...counted }, 200, headers)
  })
}

/** A count needs no model: without one, it is for the first that the caller may use. */
async function namingModel(c: RouteContext, { catalog }: Services, body: unknown) {
  if (!isObject(body) || (body['model'] ?? undefined) !== undefined) return body
  return { ...body, model: (await catalog.find(c.get('identity'), undefined)).name }
}

async function decodedOf(c: RouteContext, services: Services, body: unknown) {
  const references = referencesIn(body)
  return decodeResponses(body, await knownItems(services, c.get('identity'), references))
}

/** The routes of stored responses. */
function readingRoutes(app: Hono<{ Variables: RouteVariables }>, services: Services): void {
  const { runs, heartbeat } = services

  app.get('/v1/responses/:id', async (c) => {
    const run = await runOf(c, services)
    const options = { ...shownTo(c), about: aboutOf(run) }
    if (c.req.query('stream') === 'true') {
      const startingAfter = numberOf(c.req.query('starting_after'))
      const dialect = dialectOf({ ...options, ...startingAfter })
      const after = run.legSeq - 1
      return respondStream(run, dialect, { runs, request: c.req.raw, heartbeat, after })
    }
    if (run.status === 'active') return respondInProgress(run)
    const answer = responsesAnswer(factsOf(run), { ...options, isRetrieved: true })
    return respondWhole(run, answer, { runs, request: c.req.raw })
  })

  app.get('/v1/responses/:id/input_items', async (c) => {
    const run = await runOf(c, services)
    return c.json(pageOf(await itemsOfRequest(services, run), c))
  })
}

function respondInProgress(run: StoredRun, headers: WireAnswer['headers'] = {}): Response {
  const answer = responseInProgress(factsOf(run), aboutOf(run))
  return responseOf({ ...answer, headers: { ...answer.headers, ...headers, ...runHeader(run) } })
}

/** @throws {HostError} RUN_UNKNOWN */
function runOf(c: RouteContext, services: Services): Promise<StoredRun> {
  return responseRun(services, c.get('identity'), c.req.param('id') ?? '')
}

function dialectOf(options: Parameters<typeof responsesEncoder>[1]): StreamDialect {
  return {
    ...RESPONSES_DIALECT,
    headers: EVENT_STREAM_HEADERS,
    encoder: (facts) => responsesEncoder(facts, options),
  }
}

/** With the value `none`, a request is answered without the calls that the host ran. */
const HOST_CALLS = 'x-braidwork-host-calls'

/**
 * Clients of AI SDK 5, which refuse items that they do not know. `generateText` names only their common package and not
 * theirs.
 */
const OLDER = /\bai-sdk\/provider-utils\/3\./

/**
 * OpenAI's own clients, which tell their programs of `response.failed`: an `error` event would end the stream before it.
 * Other clients pass over `response.failed`, such as LangChain for Node, AI SDK 4 and AI SDK 5.
 */
const OPENAI =
  /^(?:Async)?(?:Azure)?OpenAI\/|^OpenAI(?:ClientImpl|ClientAsyncImpl|::Client)\/|^Agents\//

/**
 * Says what a client is shown of a response.
 * @throws {HostError} REQUEST_INVALID for another value of the header
 */
function shownTo({ req }: RouteContext) {
  const client = req.header('user-agent') ?? ''
  const isOlder = OLDER.test(client)
  const wanted = req.header(HOST_CALLS)
  if (wanted !== undefined && wanted !== 'none') {
    const message = `The header "${HOST_CALLS}" must be none, or left out.`
    throw new HostError('REQUEST_INVALID', message, { pointer: `/${HOST_CALLS}` })
  }
  const showsHostCalls = wanted === undefined && !isOlder
  return { showsHostCalls, hasErrorEvent: !OPENAI.test(client) }
}

function aboutOf(run: StoredRun): ResponseAbout {
  return orderOf(run).about ?? {}
}

function numberOf(given: string | undefined): { readonly startingAfter?: number } {
  if (given === undefined) return {}
  const number = Number(given)
  if (Number.isSafeInteger(number) && number >= 0) return { startingAfter: number }
  throw new HostError('REQUEST_INVALID', '"starting_after" must be a whole number of at least 0.', {
    pointer: '/starting_after',
  })
}
