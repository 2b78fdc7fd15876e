import { isObject, type JsonObject } from '@braidwork/plugin'
import { objectsIn, textIn } from './json.ts'
import { keyAdvice, type Profile } from './profile.ts'

/** The fields that a host reads from a thrown error, in addition to the message. */
interface Facts {
  /** A JSON pointer into the config, the messages or the request to the API. */
  readonly pointer?: string | undefined
  readonly status?: number | undefined
  readonly retryable?: boolean | undefined
  /** Seconds to wait before a retry. */
  readonly retryAfter?: number | undefined
}

interface Rule {
  readonly code: string
  readonly retryable?: boolean
  /** The API's own error codes and types. */
  readonly names?: readonly string[]
  readonly statuses?: readonly number[]
  readonly message?: RegExp
}

/** The first rule with a matching name or message applies; otherwise the first with the status. */
const RULES: readonly Rule[] = [
  {
    code: 'CONTEXT_OVERFLOW',
    names: ['context_length_exceeded', 'string_above_max_length', 'exceed_context_size_error'],
    message:
      /maximum context length|context (window|length|size|limit)|prompt is too long|too many tokens/i,
  },
  {
    code: 'QUOTA_EXCEEDED',
    names: [
      'insufficient_quota',
      'billing_hard_limit_reached',
      'billing_not_active',
      'billing_error',
    ],
    statuses: [402],
    message: /credit balance is too low|insufficient (balance|credits)|(usage|spend) limits?\b/i,
  },
  {
    code: 'CONTENT_FILTERED',
    names: [
      'content_filter',
      'content_policy_violation',
      'image_content_policy_violation',
      'moderation_blocked',
      'ResponsibleAIPolicyViolation',
    ],
  },
  {
    code: 'MODEL_UNKNOWN',
    names: ['model_not_found', 'invalid_model'],
    message:
      /^(the )?model:? .*(does not exist|not found)|^model: \S+$|invalid model\b|not a valid model/i,
  },
  {
    code: 'PROVIDER_UNAUTHORIZED',
    names: [
      'invalid_api_key',
      'authentication_error',
      'invalid_authentication',
      'permission_error',
    ],
    statuses: [401, 403],
  },
  {
    code: 'OVERLOADED',
    retryable: true,
    names: ['server_overloaded', 'overloaded_error', 'slow_down', 'server_is_overloaded'],
    statuses: [503, 529],
  },
  {
    code: 'RATE_LIMITED',
    retryable: true,
    names: ['rate_limit_exceeded', 'rate_limit_error', 'too_many_requests'],
    statuses: [429],
  },
  { code: 'TIMEOUT', retryable: true, names: ['timeout_error'], statuses: [408, 504] },
  {
    code: 'PROVIDER_FAILED',
    retryable: true,
    names: ['server_error', 'internal_error', 'api_error', 'internal_server_error'],
  },
  {
    code: 'INVALID_REQUEST',
    names: ['invalid_request_error', 'invalid_prompt', 'not_found_error', 'request_too_large'],
  },
]

const LONGEST_MESSAGE = 2000

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

/** A proxy that is not there, or refuses to connect. */
export class ProxyFault extends Error {}

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
  const rule = ruleFor([body['code'], body['type']], message, status)
  const code = rule?.code ?? codeOfStatus(status)
  const retryable = rule ? rule.retryable === true : code === 'PROVIDER_FAILED'
  const param = body['param']
  return providerError(code, sentence(profile, { code, message, status, param }), {
    ...facts,
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

/** The message of an error object: a text, or the joined texts of a list. */
function messageIn(body: JsonObject): string {
  const { message, detail = message, msg } = body
  const faults = objectsIn(isObject(detail) ? detail['detail'] : detail).map(faultText)
  return (
    textIn(message) ?? textIn(detail) ?? textIn(msg) ?? textIn(faults.join('; ')) ?? 'no message'
  )
}

function faultText({ msg, loc }: JsonObject): string {
  return Array.isArray(loc) ? `${loc.join('.')}: ${String(msg)}` : String(msg)
}

/** Removes the key, and the API's shortened quotation of it, from the error's message. @returns the same error */
export function withoutKey<T>(error: T, key: string | undefined): T {
  if (!(error instanceof Error)) return error
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

function ruleFor(
  names: readonly unknown[],
  message: string,
  status: number | undefined,
): Rule | undefined {
  const byName = RULES.find((rule) => names.some((name) => rule.names?.includes(String(name))))
  // Nearly every refusal has the type `invalid_request_error`, so a more specific status takes precedence.
  const isVague = byName === undefined || byName.code === 'INVALID_REQUEST'
  if (!isVague) return byName
  const byMessage = RULES.find((rule) => rule.message?.test(message))
  return byMessage ?? RULES.find((rule) => status && rule.statuses?.includes(status)) ?? byName
}

function codeOfStatus(status: number | undefined): string {
  return status !== undefined && status >= 300 && status < 500
    ? 'INVALID_REQUEST'
    : 'PROVIDER_FAILED'
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
  const isElsewhere = status !== undefined && (status < 400 || status === 404)
  return isElsewhere && code === 'INVALID_REQUEST'
    ? `${ended} Check settings.${name}.base_url.`
    : said
}
