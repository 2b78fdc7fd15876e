import { exportFacts, treeBelow } from '@braidwork/agent/internal'
import { HostError, type RunEvent } from '@braidwork/plugin'
import type { Hono } from 'hono'
import { readJson } from '../bodies/index.ts'
import type { RouteVariables, Services } from '../context.ts'
import { EVENT_STREAM_HEADERS, OWN_DIALECT, type StreamDialect } from '../dialect.ts'
import { contextFor, factFormatOf, factualOf, respondFacts } from '../facts.ts'
import { assertKnown } from '../own-fields.ts'
import { respondStream } from '../respond.ts'
import { type ApprovalAnswer, eventWithSafeAddresses, publicError, sseData } from '../wire/index.ts'
import { replayDialect } from './replayed.ts'

/** Writes the events of a run themselves, each with its sequence number as the id of the SSE frame. */
const EVENTS_DIALECT: StreamDialect = {
  ...OWN_DIALECT,
  headers: EVENT_STREAM_HEADERS,
  encoder: () => ({
    encode: (event) => sseData(JSON.stringify(shownOf(event)), event.type, String(event.seq)),
  }),
}

/** The maximum length of the reason given with an answer to an approval, in characters. */
const LONGEST_REASON = 10_000

/** The routes for runs and approvals by id. */
export function runRoutes(app: Hono<{ Variables: RouteVariables }>, services: Services): void {
  const { runs, approvals, limits, heartbeat, storage } = services

  app.get('/runs/:id/events', async (c) => {
    const run = await runs.find(c.get('identity'), c.req.param('id'))
    const after = lastEventOf(c.req.header('last-event-id') ?? c.req.query('after'))
    const protocol = c.req.query('protocol')
    const dialect = protocol === undefined ? EVENTS_DIALECT : replayDialect(run, protocol)
    return respondStream(run, dialect, { runs, request: c.req.raw, heartbeat, after })
  })

  app.get('/runs/:id/facts', async (c) => {
    const identity = c.get('identity')
    const run = await runs.find(identity, c.req.param('id'))
    const format = factFormatOf(c.req.query('format'))
    const shown = (event: RunEvent) => factualOf(runs.shownErrors.markIn(event), identity)
    return respondFacts(exportFacts(run, storage, { format, shown }))
  })

  app.get('/runs/:id/tree', async (c) => {
    const run = await runs.find(c.get('identity'), c.req.param('id'))
    return c.json({ agents: await treeBelow(run, storage) })
  })

  app.post('/runs/:id/stop', async (c) => {
    const identity = c.get('identity')
    const run = await runs.find(identity, c.req.param('id'))
    return c.json({ stopped: await runs.stop(identity, run.id) })
  })

  app.post('/approvals/:id', async (c) => {
    const body = await readJson(c.req.raw, limits)
    const approvalId = c.req.param('id')
    const answer = { approvalId, pointer: '/answer', ...approvalOf(body) }
    const approval = await approvals.answer(c.get('identity'), answer)
    return c.json({ id: approval.id, runId: approval.runId, answer: approval.answer })
  })
}

function shownOf(event: RunEvent): object {
  if (event.type === 'error') return { ...event, error: publicError(event.error) }
  if (event.type === 'model-chosen') return outlineOf(event)
  if (event.type === 'context-resolved') return contextFor(event)
  if (event.type === 'model-failed') {
    const { step, attempt, isShown, next, delayMs } = event
    return { ...outlineOf(event), step, attempt, isShown, next, delayMs }
  }
  return eventWithSafeAddresses(event)
}

/** An event without its content: a caller may not know which models and providers are behind an agent. */
function outlineOf({ type, runId, seq, at }: RunEvent): object {
  return { type, runId, seq, at }
}

function lastEventOf(given: string | undefined): number {
  if (given === undefined || given === '') return -1
  const seq = Number(given)
  if (Number.isSafeInteger(seq) && seq >= -1) return seq
  throw new HostError(
    'REQUEST_INVALID',
    'The last event id must be a whole number of at least 0.',
    {
      pointer: '/Last-Event-ID',
    },
  )
}

const VERDICT = ['approved', 'reason', 'answer']

/** Reads `{approved, reason?}`, or `{answer}` for a question. Edited arguments would not be those that run. */
function approvalOf(body: unknown): Omit<ApprovalAnswer, 'approvalId'> {
  assertKnown(Object(body) as object, VERDICT)
  const { answer, ...verdict } = Object(body) as { readonly [name: string]: unknown }
  const { approved = answer === undefined ? undefined : true, reason } = verdict
  if (typeof approved !== 'boolean') {
    throw new HostError(
      'REQUEST_INVALID',
      '"approved" must be true or false; a question takes "answer".',
      {
        pointer: '/approved',
      },
    )
  }
  const isText = typeof reason === 'string' && reason.length <= LONGEST_REASON
  if (reason !== undefined && !isText) {
    const message = `"reason" must be a string of at most ${LONGEST_REASON} characters.`
    throw new HostError('REQUEST_INVALID', message, { pointer: '/reason' })
  }
  return {
    approved,
    ...(reason === undefined ? {} : { reason }),
    ...(answer === undefined ? {} : { value: answer }),
  }
}
