import { type ErrorData, HostError } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import {
  type PublicError,
  publicError,
  type RunFacts,
  type StreamEncoder,
  type WireAnswer,
} from './wire/index.ts'

/** How a protocol writes what is not yet part of a stream. */
export interface Dialect {
  /** An error before the first byte. */
  errorAnswer(error: PublicError): WireAnswer
}

/** How a protocol writes a run as a stream. */
export interface StreamDialect extends Dialect {
  readonly headers: { readonly [name: string]: string }
  encoder(facts: RunFacts): StreamEncoder
}

/** The headers of every event stream. */
export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const

/** Errors of the server's own addresses. */
export const OWN_DIALECT: Dialect = {
  errorAnswer: ({ status, retryAfter, ...error }) => ({
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) },
    body: { error },
  }),
}

/** An answer as a response. */
export function responseOf({ status, headers, body }: WireAnswer): Response {
  return new Response(JSON.stringify(body), {
    // 499 tells of a client that left; nobody is there to read it, and no server may send it.
    status: status === 499 ? 409 : status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** Anything thrown, as a client may see it. */
export function errorResponse(thrown: unknown, dialect: Dialect): Response {
  return responseOf(dialect.errorAnswer(publicError(dataOf(thrown))))
}

export function dataOf(thrown: unknown): ErrorData {
  return toHostError(thrown).toJSON()
}

const ofRuns = new WeakSet<object>()

/** An error that a run ended with, thrown again. */
export function errorFrom({ code, message, ...facts }: ErrorData): HostError {
  const error = new HostError(code, message, facts)
  ofRuns.add(error)
  return error
}

/** Whether it is what a run ended with. */
export function isOfRun(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && ofRuns.has(thrown)
}
