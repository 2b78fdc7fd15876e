import { isObject, type JsonObject } from '@braidwork/plugin'
import { isError } from './causes.ts'
import { judge, mayBeElsewhere } from './error-rules.ts'
import { objectsIn, parseArguments, textIn } from './json.ts'
import { keyAdvice, type Profile } from './profile.ts'

/** The fields that a host reads from a thrown error, in addition to the message. */
interface Facts {
  /** A JSON pointer into the config, the messages or the request to the API. */
  readonly pointer?: string | undefined
  readonly status?: number | undefined
  readonly retryable?: boolean | undefined
  /** Seconds to wait before a retry. */
  readonly retryAfter?: number | undefined
  /** The error that led to this one. Its `code` may get into logs. */
  readonly cause?: Error | undefined
}

const LONGEST_MESSAGE = 2000
const LONGEST_UPSTREAM = 1000

/** Makes an error with a code and facts, which the host passes on. */
export function providerError(code: string, message: string, facts: Facts = {}): Error {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined)
  return Object.assign(new Error(message), { code, ...Object.fromEntries(known) })
}

/** Why a request got no answer. */
export class NoAnswer extends Error {
  readonly reason: 'timeout' | 'cancelled'

  constructor(reason: NoAnswer['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** A proxy that is not there, or refuses to connect. The code has the status of its answer. */
export class ProxyFault extends Error {
  readonly code: string | undefined

  constructor(
    message: string,
    options: ErrorOptions & { readonly status?: number | undefined } = {},
  ) {
    super(message, options)
    this.code = options.status === undefined ? undefined : `PROXY_STATUS_${options.status}`
  }
}

/** The error for a missing key; no request was sent. */
export function keyMissing(profile: Profile): Error {
  const message = `There is no key for ${profile.title}. ${keyAdvice(profile)}`
  return providerError('PROVIDER_UNAUTHORIZED', message, { retryable: false })
}

export function interrupted(
  { title }: Profile,
  how = 'The stream ended before the answer did',
): Error {
  return providerError('STREAM_INTERRUPTED', `${how} (${title}).`, { retryable: true })
}

/** The error for an unusable answer: not JSON, an HTML page, or an unexpected object. */
export function unreadable({ title, name }: Profile, what: string, body = ''): Error {
  const head = body.trim().slice(0, 120)
  const shown = head === '' ? '' : ` It begins with ${JSON.stringify(head)}.`
  return providerError(
    'PROVIDER_FAILED',
    `${title} ${what}.${shown} If this happens every time, check settings.${name}.base_url.`,
  )
}

/** The error for an API's error object, from an error status, a stream event, or an answer with status 200. */
export function apiError(profile: Profile, error: unknown, facts: Facts = {}): Error {
  const body = errorObject(error)
  const message = messageIn(body)
  const named = typeof body['code'] === 'number' ? body['code'] : undefined
  const status = facts.status ?? named
  const names = [body['code'], body['type']]
  const { code, retryable } = judge({ names, message, status })
  const param = body['param']
  const retryAfter = facts.retryAfter ?? delayIn(body)
  return providerError(code, sentence(profile, { code, message, status, param }), {
    ...facts,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(code === 'INVALID_REQUEST' ? fieldOf(param) : {}),
    status,
    retryable,
  })
}

/** A field name as APIs write it, such as `messages[0].content`. Only then it surely quotes nothing else. */
const FIELD = /^[a-z]\w{0,63}(?:\[\d{1,6}\]|\.\w{1,64}){0,8}$/i

/** The field of the request that an API refuses, as a JSON pointer. */
function fieldOf(param: unknown): Pick<Facts, 'pointer'> {
  if (typeof param !== 'string' || !FIELD.test(param)) return {}
  return { pointer: `/${param.replaceAll(/[[.]/g, '/').replaceAll(']', '')}` }
}

/** The object with the error's fields. Some APIs wrap it, or send a plain text instead. */
function errorObject(error: unknown): JsonObject {
  if (!isObject(error)) return { message: error }
  const { error: inner } = error
  if (isObject(inner)) return inner
  return textIn(inner) === undefined ? error : { ...error, message: inner }
}

/** The message of an error object, with that of the server behind a gateway. */
function messageIn(body: JsonObject): string {
  const message = ownMessageIn(body) ?? 'no message'
  const upstream = upstreamIn(body).slice(0, LONGEST_UPSTREAM)
  return upstream === '' ? message : `${message} (${upstream})`
}

/** A text, or the joined texts of a list. */
function ownMessageIn(body: JsonObject): string | undefined {
  const { message, detail = message, msg } = body
  const faults = objectsIn(isObject(detail) ? detail['detail'] : detail).map(faultText)
  return textIn(message) ?? textIn(detail) ?? textIn(msg) ?? textIn(faults.join('; '))
}

/** The server behind OpenRouter that refused a request, and what it said: text, JSON in a text, or JSON. */
function upstreamIn({ metadata }: JsonObject): string {
  if (!isObject(metadata)) return ''
  const { raw, provider_name: name } = metadata
  const parsed = typeof raw === 'string' ? parseArguments(raw) : raw
  const [error = parsed] = objectsIn(parsed)
  const said = isObject(error) ? ownMessageIn(errorObject(error)) : undefined
  return [textIn(name), said ?? textIn(raw)].filter((text) => text !== undefined).join(': ')
}
/** The retry delay in an error object, in seconds, where OpenRouter and Google write it. */
function delayIn({ metadata, details }: JsonObject): number | undefined {
  const told = isObject(metadata) ? metadata['retry_after_seconds'] : undefined
  if (typeof told === 'number' && told >= 0) return told
  const [delay] = objectsIn(details).flatMap(({ retryDelay }) => textIn(retryDelay) ?? [])
  const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(delay ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}

function faultText({ msg, loc }: JsonObject): string {
  return Array.isArray(loc) ? `${loc.join('.')}: ${String(msg)}` : String(msg)
}

/** Removes the key, and the API's shortened quotation of it, from the error's message. @returns the same error */
export function withoutKey<T>(error: T, key: string | undefined): T {
  if (!isError(error)) return error
  const masked = key && key.length >= 4 ? error.message.replaceAll(key, '***') : error.message
  error.message = masked.replaceAll(/\b(sk|gsk|xai|csk|key)-[\w*.-]{4,}/g, '***')
  return error
}

/** The retry delay in the headers, in seconds. The header in milliseconds takes precedence, since it is more exact. */
export function retryAfterIn(headers: Pick<Headers, 'get'> | undefined): number | undefined {
  const milliseconds = secondsIn(headers?.get('retry-after-ms'))
  return milliseconds === undefined ? secondsIn(headers?.get('retry-after')) : milliseconds / 1000
}

/** The delay of a Retry-After header in seconds. The header has a number of seconds or a date. */
function secondsIn(header: string | null | undefined, now = Date.now()): number | undefined {
  if (!header) return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}

interface Said {
  readonly code: string
  readonly message: string
  readonly status: number | undefined
  readonly param: unknown
}

function sentence(profile: Profile, { code, message, status, param }: Said): string {
  const { title, name } = profile
  const head = status === undefined ? `${title} failed` : `${title} answered with status ${status}`
  const at = textIn(param) === undefined ? '' : ` (parameter "${String(param)}")`
  const said = `${head}: ${message.slice(0, LONGEST_MESSAGE)}${at}`
  const ended = /[.?!]$/.test(said) ? said : `${said}.`
  if (code === 'PROVIDER_UNAUTHORIZED') return `${ended} ${keyAdvice(profile)}`
  return code === 'INVALID_REQUEST' && mayBeElsewhere({ message, status })
    ? `${ended} Check settings.${name}.base_url.`
    : said
}
