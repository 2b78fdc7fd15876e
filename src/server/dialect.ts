import type { StoredRun } from '@braidwork/agent'
import { HostError } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import {
  type PublicError,
  publicError,
  type RunFacts,
  type ShownError,
  type StreamEncoder,
  sseData,
  type WireAnswer,
} from './wire/index.ts'

/** How a protocol writes responses that are not streams. */
export interface Dialect {
  /** The header in which clients look for the id of a request, which they show with errors. Absent if they know none. */
  readonly idHeader?: string
  /**
   * Writes an error that occurred before the first byte of the response.
   * @param requestId undefined where the request has none
   */
  errorAnswer(error: PublicError, requestId?: string): WireAnswer
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

/** The error format of the server's own routes. */
export const OWN_DIALECT: Dialect = {
  errorAnswer: ({ status, retryAfter, ...error }) => ({
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) },
    body: { error },
  }),
}

/** Converts a protocol's answer to a Response. */
export function responseOf({ status, headers, body, event }: WireAnswer): Response {
  const json = JSON.stringify(body)
  const own = event === undefined ? { 'content-type': 'application/json' } : EVENT_STREAM_HEADERS
  return new Response(event === undefined ? json : sseData(json, event), {
    // The host uses 499 for a client that disconnected. Servers must not send this status, and nobody reads the
    // response.
    status: status === 499 ? 409 : status,
    headers: { ...own, ...headers },
  })
}

/**
 * Converts any thrown value to an error response without internal details. The error of a run names the run.
 * @param requestId called for the id of a request without a run, if the dialect tells it
 */
export function errorResponse(
  thrown: unknown,
  dialect: Dialect,
  requestId?: () => string,
): Response {
  const id = isThrownObject(thrown) ? runIds.get(thrown) : undefined
  const told = id ?? (dialect.idHeader === undefined ? undefined : requestId?.())
  const answer = dialect.errorAnswer(publicError(dataOf(thrown)), told)
  return responseOf(
    id === undefined ? answer : { ...answer, headers: { ...answer.headers, ...runHeader({ id }) } },
  )
}

/** Returns the header that names the run of a response. */
export function runHeader({ id }: Pick<StoredRun, 'id'>): { readonly 'x-run-id': string } {
  return { 'x-run-id': id }
}

const runIds = new WeakMap<object, string>()

/** Notes the run that an error response for this error is about. */
export function noteRun(thrown: unknown, { id }: Pick<StoredRun, 'id'>): void {
  if (isThrownObject(thrown)) runIds.set(thrown, id)
}

function isThrownObject(thrown: unknown): thrown is object {
  return typeof thrown === 'object' && thrown !== null
}

export function dataOf(thrown: unknown): ShownError {
  const data = toHostError(thrown).toJSON()
  if (!isThrownObject(thrown)) return data
  if (callers.has(thrown)) return { ...data, isOwn: true }
  return shown.has(thrown) ? { ...data, isShown: true } : data
}

/** Errors that are about what their callers set. */
const callers = new WeakSet<object>()

/** Marks an error that is about what its caller set, whatever its code: the caller may read it. */
export function forCaller(error: HostError): HostError {
  callers.add(error)
  return error
}

const ofRuns = new WeakSet<object>()
/** The errors of runs whose own words clients may read. */
const shown = new WeakSet<object>()

/** Converts the error that ended a run to a HostError that can be thrown. */
export function errorFrom({ code, message, isShown, isOwn, ...facts }: ShownError): HostError {
  const error = new HostError(code, message, facts)
  ofRuns.add(error)
  if (isShown) shown.add(error)
  if (isOwn) callers.add(error)
  return error
}

/** Whether an error came from {@link errorFrom}, that is, from a run. */
export function isOfRun(thrown: unknown): boolean {
  return isThrownObject(thrown) && ofRuns.has(thrown)
}
