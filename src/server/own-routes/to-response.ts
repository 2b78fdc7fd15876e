import { randomUUID } from 'node:crypto'
import { DURATION, type Kind, TEXT } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { dataOf, errorResponse, responseOf } from '../dialect.ts'
import { EventBody, type Page } from '../event-body.ts'
import { ignoredHeaders } from '../headers.ts'
import { once } from '../once.ts'
import { DEFAULT_HEARTBEAT, type Protocol } from '../options/index.ts'
import { firstPages } from '../respond.ts'
import { RunErrors, ShownErrors } from '../shown-errors.ts'
import type { AnswerEncoder, RunFacts, StreamEncoder } from '../wire/index.ts'
import { assertOptions, assertProtocolAlone } from './assert-options.ts'
import { type DecodedRequest, formatOf, formattedOf } from './decode-request.ts'
import { type AnswerStream, StreamPages } from './stream-pages.ts'

/** Whom a response is for: a request that `decodeRequest` returned, or a client without tools that wants a stream. */
export type ResponseTo = DecodedRequest | { readonly protocol: Protocol }

export interface ResponseOptions {
  /** The id of the answer's message. The default is the one that the client expects, or a new one. */
  readonly messageId?: string
  /** Send a comment after this many milliseconds without an event, to keep the stream open. The default is 5,000. */
  readonly heartbeat?: number
}

const KINDS: { readonly [O in keyof ResponseOptions]-?: Kind } = {
  messageId: TEXT,
  heartbeat: DURATION,
}

/**
 * Writes a run, or one request of `host.stream`, as the response of a protocol: a stream, or in one piece if the
 * request asks for that. A failure before any output becomes an error response with a status. When the client leaves,
 * the run is cancelled. Nothing is stored.
 * @throws {HostError} OPTION_INVALID
 */
export async function toResponse(
  stream: AnswerStream,
  to: ResponseTo,
  options: ResponseOptions = {},
): Promise<Response> {
  assertStream(stream)
  const format = formatOf(to)
  if (!formattedOf(to)) assertProtocolAlone(to)
  assertOptions('toResponse', options, KINDS)
  const pages = new StreamPages(stream)
  const leave = once(() => void pages.return())
  try {
    const heartbeat = options.heartbeat ?? DEFAULT_HEARTBEAT
    const requested = await firstPages(pages, heartbeat, errorsFor(to))
    const first = await requested[0]
    const [event] = first?.value ?? []
    const answer = answerTo(to, { ...options, runId: event?.runId ?? '' })
    return answer.whole
      ? await wholeResponse({ ...answer, whole: answer.whole }, { requested, pages })
      : streamResponse(answer, { requested, pages, leave, ...options })
  } catch (error) {
    leave()
    return errorResponse(error, format)
  }
}

/** A result, or a promise of a stream, is easily passed in its place. */
function assertStream(stream: unknown): void {
  const { [Symbol.asyncIterator]: iterate } = Object(stream) as Partial<AsyncIterable<unknown>>
  if (typeof iterate === 'function') return
  const message = 'toResponse needs the stream that run() or host.stream() returns.'
  throw new HostError('OPTION_INVALID', message)
}

/**
 * Writes an error that an application caught as an error response of a protocol, without internal details.
 * @throws {HostError} OPTION_INVALID if there is no such protocol
 */
export function toErrorResponse(
  error: unknown,
  options: { readonly protocol: Protocol },
): Response {
  return errorResponse(error, formatOf(options))
}

interface Answer {
  readonly headers: { readonly [name: string]: string }
  readonly encoder: StreamEncoder
  /** Present if the client asked for an answer in one piece. */
  readonly whole?: AnswerEncoder
}

function answerTo(
  to: ResponseTo,
  { messageId, runId }: ResponseOptions & { readonly runId: string },
): Answer {
  const format = formatOf(to)
  const formatted = formattedOf(to)
  const { agent = '', conversationId, tools = [], toolWords } = formatted?.asked ?? {}
  const facts: RunFacts = {
    runId,
    messageId: messageId ?? formatted?.messageId ?? randomUUID(),
    agent,
    createdAt: Date.now(),
    clientTools: new Set(tools.map(({ name }) => name)),
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(toolWords ? { toolWords } : {}),
  }
  const isWhole = formatted?.asked.isStreaming === false && formatted.whole !== undefined
  const ignored = formatted ? ignoredHeaders(formatted.asked) : {}
  return {
    headers: { ...(isWhole ? {} : format.headers), ...ignored },
    encoder: errorsFor(to).encoder((formatted?.encoder ?? format.encoder)(facts)),
    ...(isWhole ? { whole: marked(formatted.whole(facts), errorsFor(to)) } : {}),
  }
}

/** The errors of an answer for one reader, in the terms of the request. */
function errorsFor(to: ResponseTo): RunErrors {
  return new RunErrors(new ShownErrors(false), formattedOf(to)?.asked ?? {})
}

function marked(whole: AnswerEncoder, errors: RunErrors): AnswerEncoder {
  return { add: (event) => whole.add(errors.markIn(event)), answer: () => whole.answer() }
}

interface Pages {
  readonly pages: StreamPages
  /** The pages that were asked for already. */
  readonly requested: readonly Promise<Page>[]
  readonly heartbeat?: number
  readonly leave: () => void
}

function streamResponse({ encoder, headers }: Answer, given: Pages): Response {
  const { pages, requested, heartbeat = DEFAULT_HEARTBEAT, leave } = given
  const onError = (error: unknown) =>
    encoder.encode({ type: 'error', error: dataOf(error), runId: '', seq: -1 })
  const body = new EventBody({ pages, requested, encoder, heartbeat, onError, onEnd: leave })
  return new Response(body.stream(), { headers })
}

async function wholeResponse(
  { whole, headers }: Answer & { readonly whole: AnswerEncoder },
  { requested, pages }: Pick<Pages, 'requested' | 'pages'>,
): Promise<Response> {
  for (const page of requested) for (const event of (await page).value ?? []) whole.add(event)
  await pages.pipeTo((events) => {
    for (const event of events) whole.add(event)
  })
  const answer = whole.answer()
  return responseOf({ ...answer, headers: { ...answer.headers, ...headers } })
}
