import { openCalls } from '@braidwork/agent/internal'
import type { Hono } from 'hono'
import { readJson } from '../bodies/index.ts'
import type { RouteVariables, Services } from '../context.ts'
import { clientRequest } from '../conversations/index.ts'
import { type Dialect, runHeader, type StreamDialect } from '../dialect.ts'
import { ignoredHeaders, repeatKeyOf } from '../headers.ts'
import { respondStream } from '../respond.ts'
import { type AnswerBefore, answerBefore, askingAgain, numberingOn } from '../turns/index.ts'
import {
  AG_UI_CAN_RESET,
  AG_UI_HEADERS,
  type AgUiRequest,
  agUiEncoder,
  agUiErrorAnswer,
  agUiSteered,
  decodeAgUiRequest,
} from '../wire/ag-ui/index.ts'

const PROTOCOL = 'ag-ui'
const REMEDY =
  'Send only the new messages, and their files before them, by POST /api/conversations/{threadId}/files.'

export const AG_UI_DIALECT: Dialect = { errorAnswer: agUiErrorAnswer }

/** The route for clients of the AG-UI protocol, such as CopilotKit. */
export function agUiRoutes(app: Hono<{ Variables: RouteVariables }>, services: Services): void {
  const { runs, turns, storage, limits, heartbeat } = services

  app.post('/ag-ui', async (c) => {
    const identity = c.get('identity')
    const decoded = decodeAgUiRequest(await readJson(c.req.raw, limits, { remedy: REMEDY }))
    const request = await clientRequest(c, services, decoded, '/forwardedProps/agent')
    const key = await repeatKeyOf(c.req.raw, PROTOCOL, request)
    const { headers: sent } = c.req.raw
    const about = { protocol: PROTOCOL, canReset: AG_UI_CAN_RESET, answersOnce: true } as const
    const asked = { identity, request, headers: sent, ...about, ...key }
    const headers = ignoredHeaders(request)
    const steered = request.steers ? await turns.steer(asked, c.req.raw.signal) : undefined
    if (steered) {
      const about = { ...AG_UI_HEADERS, ...headers, ...runHeader(steered) }
      return new Response(agUiSteered(request, steered), { headers: about })
    }
    const { run, awaited } = await turns.take(asked)
    const options = { runs, request: c.req.raw, heartbeat, headers }
    const before = await answerBefore(run, storage)
    const dialect = dialectOf(request, before, awaited)
    const encoder: StreamDialect['encoder'] = (facts) =>
      turns.told.noting(dialect.encoder(facts), run)
    return respondStream(run, { ...dialect, encoder }, options)
  })
}

function dialectOf(
  { clientRunId, isBefore1, kept }: AgUiRequest,
  before: AnswerBefore,
  awaited: ReadonlySet<string> | undefined,
): StreamDialect {
  return {
    ...AG_UI_DIALECT,
    headers: AG_UI_HEADERS,
    encoder: (facts) => {
      const pending = openCalls(before.all).filter(({ name }) => facts.clientTools.has(name))
      const next = numberingOn(
        agUiEncoder(facts, { clientRunId, isBefore1, pending, kept }),
        before,
      )
      return awaited ? askingAgain(next, awaited) : next
    },
  }
}
