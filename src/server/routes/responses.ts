import type { StoredRun } from '@braidwork/agent'
import { HostError } from '@braidwork/plugin'
import type { Hono } from 'hono'
import { readJson } from '../body.ts'
import type { RouteContext, RouteVariables, Services } from '../context.ts'
import { EVENT_STREAM_HEADERS, responseOf, type StreamDialect } from '../dialect.ts'
import { ignoredHeaders } from '../headers.ts'
import { answerRun, startOwnTruth } from '../own-truth.ts'
import { respondStream, respondWhole, runHeader } from '../respond.ts'
import { factsOf, orderOf } from '../run-order.ts'
import { startThread } from '../thread.ts'
import type { WireAnswer } from '../wire/index.ts'
import {
  decodeResponses,
  type ResponseAbout,
  type ResponsesRequest,
  responseInProgress,
  responsesAnswer,
  responsesEncoder,
} from '../wire/responses/index.ts'
import { OPENAI_DIALECT } from './openai.ts'

/** The maximum size of a response's metadata in bytes. It is more than OpenAI's limit of 16 pairs needs. */
const MOST_METADATA = 16 << 10

/** The routes of OpenAI's Responses API. Responses are stored if the client asks for it. */
export function responsesRoutes(
  app: Hono<{ Variables: RouteVariables }>,
  services: Services,
): void {
  const { runs, heartbeat } = services

  app.post('/v1/responses', async (c) => {
    const decoded = decodeResponses(await readJson(c.req.raw, services.limits))
    const request = services.catalog.requestFor(c.get('identity'), decoded, '/model')
    const { run, isStored } = await begin(c, services, request)
    if (request.background && !request.isStreaming) {
      return respondInProgress(run, ignoredHeaders(request))
    }
    const about = aboutOf(run)
    return answerRun(c, services, {
      run,
      request,
      isStored,
      dialect: dialectOf({ about }),
      whole: (facts) => responsesAnswer(facts, { about }),
    })
  })

  app.get('/v1/responses/:id', async (c) => {
    const run = await runOf(c, services)
    const about = aboutOf(run)
    if (c.req.query('stream') === 'true') {
      const startingAfter = numberOf(c.req.query('starting_after'))
      const dialect = dialectOf({ about, ...startingAfter })
      const after = run.legSeq - 1
      return respondStream(run, dialect, { runs, request: c.req.raw, heartbeat, after })
    }
    if (run.status === 'active') return respondInProgress(run)
    const answer = responsesAnswer(factsOf(run), { about, isRetrieved: true })
    return respondWhole(run, answer, { runs, request: c.req.raw })
  })

  app.post('/v1/responses/:id/cancel', async (c) => {
    const run = await runOf(c, services)
    await runs.stop(c.get('identity'), run.id)
    const answer = responsesAnswer(factsOf(run), { about: aboutOf(run), isRetrieved: true })
    return respondWhole(run, answer, { runs, request: c.req.raw })
  })

  app.delete('/v1/responses/:id', async (c) => {
    const run = await runOf(c, services)
    await runs.stop(c.get('identity'), run.id)
    await services.storage.runs.delete(run.owner, run.id)
    return c.json({ id: c.req.param('id'), object: 'response', deleted: true })
  })
}

function respondInProgress(run: StoredRun, headers: WireAnswer['headers'] = {}): Response {
  const answer = responseInProgress(factsOf(run), aboutOf(run))
  return responseOf({ ...answer, headers: { ...answer.headers, ...headers, ...runHeader(run) } })
}

async function begin(
  c: RouteContext,
  services: Services,
  request: ResponsesRequest,
): Promise<{ readonly run: StoredRun; readonly isStored: boolean }> {
  const { store, background, previousResponseId, conversationId } = request
  if (bytesOfJson(request.metadata) > MOST_METADATA) {
    const message = `"metadata" is larger than ${MOST_METADATA} bytes of JSON.`
    throw new HostError('REQUEST_TOO_LARGE', message, { pointer: '/metadata' })
  }
  const isStored = store || background || conversationId !== undefined
  const about = {
    store: isStored,
    background,
    ...(previousResponseId === undefined ? {} : { previousResponseId }),
    ...(request.metadata === undefined ? {} : { metadata: request.metadata }),
  }
  const given = {
    protocol: 'responses',
    request,
    isStored,
    isBackground: background,
    about,
  } as const
  if (!isStored && previousResponseId === undefined) {
    return { run: await startOwnTruth(c, services, given), isStored }
  }
  const previous =
    previousResponseId === undefined
      ? undefined
      : await runOf(c, services, previousResponseId, '/previous_response_id')
  const asked = {
    messages: request.messages,
    agent: request.agent,
    previous,
    ...(conversationId === undefined ? {} : { conversationId }),
  }
  const thread = () => startThread(c.get('identity'), services, asked)
  const run = await startOwnTruth(c, services, { ...given, isStored: true, startThread: thread })
  return { run, isStored: true }
}

function bytesOfJson(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

/** @throws {HostError} RUN_UNKNOWN */
async function runOf(
  c: RouteContext,
  { runs }: Services,
  id = c.req.param('id') ?? '',
  pointer?: string,
): Promise<StoredRun> {
  try {
    return await runs.find(c.get('identity'), id.replace(/^resp_/, ''))
  } catch (error) {
    if (!HostError.is(error) || error.code !== 'RUN_UNKNOWN') throw error
    const hint =
      pointer === undefined ? '' : '; a response is stored only if its request has "store": true'
    const text = `There is no response "${id.slice(0, 100)}"${hint}.`
    throw new HostError('RUN_UNKNOWN', text, { pointer })
  }
}

function dialectOf(options: Parameters<typeof responsesEncoder>[1]): StreamDialect {
  return {
    ...OPENAI_DIALECT,
    headers: EVENT_STREAM_HEADERS,
    encoder: (facts) => responsesEncoder(facts, options),
  }
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
