import { type Config, type Headers, isObject, type JsonObject } from '@braidwork/plugin'
import { textOf } from '../body/response.ts'
import { linked } from '../body/stream.ts'
import { isError } from '../causes.ts'
import {
  apiError,
  interrupted,
  NoAnswer,
  providerError,
  retryAfterIn,
  unreadable,
  withoutKey,
} from '../errors.ts'
import { parseJson, textIn } from '../json.ts'
import { type Limits, limitsOf, tooMuch } from '../limits.ts'
import type { Profile } from '../profile.ts'
import type { Access } from './access.ts'
import { headersOf } from './headers.ts'
import { isUnanswered, type Patience } from './refusal.ts'
import { unreachable } from './unreachable.ts'

export interface Ask {
  readonly signal: AbortSignal
  /** Seconds until response headers must arrive, and the limit that says so. */
  readonly timeout: number
  readonly waitsFor: 'connect' | 'call'
  readonly limits: Limits
  /** Called with the id that the API gave the request, whether it answered or refused. */
  readonly noteId?: ((id: string) => void) | undefined
  /** Called with the headers of the response that the API answers with. */
  readonly noteHeaders?: ((headers: Headers) => void) | undefined
}

interface Sending {
  readonly fetchOptions: object
  readonly body?: JsonObject
  readonly signal: AbortSignal
  /** Milliseconds until response headers must arrive. */
  readonly timeout: number
  readonly headers?: { readonly [name: string]: string }
}

/** The part of a vendor's SDK that is used: it adds the key, retries and timeouts, and returns the raw response. */
export interface Client {
  post(path: string, options: Sending): { asResponse(): Promise<Response> }
  get(path: string, options: Sending): { asResponse(): Promise<Response> }
}

/** Creates a vendor's client. It may throw errors with a code. */
export type Connect = (access: Access) => Promise<Client>

/** Everything needed to reach an API. */
export interface Line extends Access {
  readonly connect: Connect
}

export interface Post {
  readonly path: string
  readonly body: JsonObject
  readonly headers?: { readonly [name: string]: string } | undefined
}

/** Sends a request body. @returns the response with its body unread */
export async function post(line: Line, { path, body, headers }: Post, ask: Ask): Promise<Response> {
  const client = await line.connect(line)
  const options = { ...sendingOf(ask), body, ...(headers ? { headers } : {}) }
  return tell(line, ask, () => client.post(path, options).asResponse())
}

/** Sends a request body. @returns the parsed JSON answer */
export async function postForJson(line: Line, request: Post, ask: Ask): Promise<JsonObject> {
  return readJson(await post(line, request, ask), line.profile, ask.limits)
}

export async function readJson(
  response: Response,
  profile: Profile,
  limits: Limits,
): Promise<JsonObject> {
  const answer = await readAnswer(response, profile, limits)
  if (isObject(answer)) return answer
  throw unreadable(profile, NO_OBJECT, JSON.stringify(answer))
}

const NO_OBJECT = 'sent an answer that is not a JSON object'

/** Reads an object or a list. */
async function readAnswer(
  response: Response,
  profile: Profile,
  limits: Limits,
): Promise<JsonObject | readonly unknown[]> {
  const text = await textOf(response, limits.answer_bytes).catch(() => {
    throw interrupted(profile, 'The connection was lost before the answer ended')
  })
  if (text === undefined) throw tooMuch(profile, limits, 'answer_bytes')
  if (text.trim() === '') throw unreadable(profile, 'sent an empty answer')
  const answer = parsed(text)
  if (Array.isArray(answer)) return answer
  if (!isObject(answer)) throw unreadable(profile, NO_OBJECT, text)
  if (answer['error']) throw apiError(profile, answer['error'])
  return answer
}

/** The ids of the models that the API lists. The answer of some servers, such as Together, is the list itself. */
export async function listModels(line: Line, path: string, ask: Ask): Promise<readonly string[]> {
  const answer = await getJson(line, path, ask)
  const { data, models } = isObject(answer) ? answer : { data: answer, models: undefined }
  const list = Array.isArray(data) ? data : Array.isArray(models) ? models : []
  if (list.length > MOST_MODELS) {
    throw unreadable(line.profile, `listed ${list.length} models, more than ${MOST_MODELS}`)
  }
  return list.flatMap((model) => (isObject(model) ? (textIn(model['id']) ?? []) : []))
}

/** Requests an object or a list. Nothing remains at the caller's signal, which may live long. */
async function getJson(line: Line, path: string, ask: Ask): ReturnType<typeof readAnswer> {
  const { controller, unlink } = linked(ask.signal)
  const sending = sendingOf({ ...ask, signal: controller.signal })
  try {
    const client = await line.connect(line)
    const response = await tell(line, ask, () => client.get(path, sending).asResponse())
    return await readAnswer(response, line.profile, ask.limits)
  } finally {
    unlink()
  }
}

/** A hundred times more than any known API lists. */
const MOST_MODELS = 100_000

/** The limit (`limits.*`) that ends a waiting request, by the kind of request. */
const ENDS = { call: 'call', stream: 'stream_idle', models: 'hook' } as const

/** The timeouts, limits and signal of a request to the API. */
export function askOf(
  config: Config,
  asked: keyof typeof ENDS,
  { profile, signal }: Pick<Access, 'profile'> & Pick<Ask, 'signal'>,
): Ask {
  const given = limitsOf(config, profile)
  // A server's retry delay must not exceed the time limit of the request itself.
  const limits = { ...given, retry_after: Math.min(given.retry_after, given[ENDS[asked]]) }
  const waitsFor = asked === 'call' ? 'call' : 'connect'
  return { signal, timeout: limits[waitsFor], waitsFor, limits }
}

function sendingOf({ signal, timeout, limits }: Ask): Sending {
  const patience: Patience = { longestWait: limits.retry_after }
  return { signal, timeout: timeout * 1000, fetchOptions: patience }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Runs an SDK request, and notes its id. Errors that it throws get a code, and lose the key. */
async function tell(access: Access, ask: Ask, run: () => Promise<Response>): Promise<Response> {
  const { signal, noteId, noteHeaders } = ask
  try {
    const response = await run()
    if (isUnanswered(response)) throw new NoAnswer(signal.aborted ? 'cancelled' : 'timeout')
    noteIdIn(response, noteId)
    noteHeaders?.(headersOf(response))
    return response
  } catch (error) {
    if (isError(error)) noteIdIn(error, noteId)
    throw withoutKey(toProviderError(error, access.profile, ask), access.settings.api_key)
  }
}

/** The headers in which model APIs name a request: most; Anthropic; Azure. */
const ID_HEADERS = ['x-request-id', 'request-id', 'apim-request-id']

/** Notes the id in the headers of a response, or of the SDK's error for one. */
function noteIdIn(answered: object, noteId: Ask['noteId']): void {
  if (noteId === undefined) return
  const { headers } = answered as { readonly headers?: Partial<Response['headers']> }
  const id = ID_HEADERS.map((name) => headers?.get?.(name)).find((value) => value)
  if (id) noteId(id)
}

function toProviderError(error: unknown, profile: Profile, { timeout, waitsFor }: Ask): Error {
  if (!isError(error)) return providerError('PROVIDER_FAILED', String(error))
  const reason = reasonOfNone(error)
  if (reason === 'timeout') {
    const fault = waitsFor === 'call' ? 'did not answer' : 'sent no headers'
    const message = `${profile.title} ${fault} within ${timeout} seconds (limits.${waitsFor}).`
    return providerError('TIMEOUT', message, { retryable: true })
  }
  if (reason === 'cancelled') return providerError('ABORTED', 'The request was cancelled.')
  if ('status' in error && typeof error.status === 'number') return statusError(error, profile)
  return unreachable(error, profile)
}

/** Why a request got no answer, as far as the client knows. The SDKs have a class of errors for each reason. */
function reasonOfNone(error: Error): NoAnswer['reason'] | undefined {
  if (error instanceof NoAnswer) return error.reason
  const { name } = error.constructor
  if (name === 'APIConnectionTimeoutError') return 'timeout'
  return name === 'APIUserAbortError' ? 'cancelled' : undefined
}

/** The error for an HTTP error status. Its body may be an API error object, other JSON, or an HTML page. */
function statusError(error: Error, profile: Profile): Error {
  const known = error as Error & { status: number; error?: unknown; headers?: Response['headers'] }
  const { status, error: body, headers } = known
  const moved = status < 400 ? headers?.get('location') : undefined
  const message = moved ? `it redirects to ${JSON.stringify(moved)}` : textIn(body)
  const said = isObject(body) ? body : { message: message ?? plain(error.message) }
  return apiError(profile, said, { status, retryAfter: retryAfterIn(headers) })
}

/** Shortens the SDK's message for a body that is not an error object: the status, then the body. */
function plain(message: string): string {
  const text = message.replace(/^\d+ /, '').trim()
  return text.startsWith('<')
    ? `a page instead of JSON, ${JSON.stringify(text.slice(0, 120))}`
    : text
}
