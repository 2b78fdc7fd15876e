import { ERROR_CODES, type ErrorCode } from './error-codes.ts'
import { moduleAdvice } from './module-fault.ts'

/** The phase of a request in which an error arose. Hooks read the current one from `context.phase`. */
export type Phase = 'resolve' | 'prepare' | 'partials' | 'finals' | 'tools' | 'settings'

/** Details of an error besides its code and message. Unknown details are absent. */
export interface ErrorFacts {
  readonly plugin?: string | undefined
  readonly hook?: string | undefined
  readonly phase?: Phase | undefined
  /** JSON pointer (RFC 6901) to the wrong value in the config, the messages or the answer. */
  readonly pointer?: string | undefined
  readonly provider?: string | undefined
  /** HTTP status of the API's response. */
  readonly status?: number | undefined
  readonly retryable?: boolean | undefined
  /** Seconds to wait before the next try. */
  readonly retryAfter?: number | undefined
  /** The id that the model API gave the request ({@link Context.noteUpstreamId}). */
  readonly upstreamRequestId?: string | undefined
  /** The present version of what a stale write was to replace. */
  readonly version?: number | undefined
  readonly cause?: unknown
}

/** An error as JSON, as a terminal `error` event carries it. */
export type ErrorData = { readonly code: string; readonly message: string } & Omit<
  ErrorFacts,
  'cause'
>

const FACTS = [
  'plugin',
  'hook',
  'phase',
  'pointer',
  'provider',
  'status',
  'retryable',
  'retryAfter',
  'upstreamRequestId',
  'version',
] as const satisfies readonly Exclude<keyof ErrorFacts, 'cause'>[]

/**
 * The class of every error that a request ends with. `code` is one of {@link ERROR_CODES}, or a plugin's own code.
 * Recognize it with {@link HostError.is} and not with `instanceof`: two copies of this package may be loaded at once.
 */
export class HostError extends Error {
  override readonly name = 'HostError'
  readonly code: string
  declare readonly plugin?: string
  declare readonly hook?: string
  declare readonly phase?: Phase
  declare readonly pointer?: string
  declare readonly provider?: string
  declare readonly status?: number
  declare readonly retryable?: boolean
  declare readonly retryAfter?: number
  declare readonly upstreamRequestId?: string
  declare readonly version?: number
  /** The messages that had arrived when a request failed. */
  declare readonly partial?: readonly object[]

  constructor(code: ErrorCode | (string & {}), message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = code
    for (const fact of FACTS) {
      if (facts[fact] !== undefined) Object.defineProperty(this, fact, readable(facts[fact]))
    }
  }

  static is(error: unknown): error is HostError {
    try {
      return (
        error instanceof Error &&
        error.name === 'HostError' &&
        'code' in error &&
        isText(error.code)
      )
    } catch {
      // A value whose properties throw when they are read cannot be a HostError.
      return false
    }
  }

  /** The code, message and details, without `cause` and stack. */
  toJSON(): ErrorData {
    return { code: this.code, message: this.message, ...factsOf(this) }
  }
}

/** A problem with one plugin, or with one id in a list of the config. The host keeps working. */
export interface Diagnostic {
  readonly code: string
  readonly level: 'error' | 'warning' | 'info'
  readonly message: string
  readonly plugin?: string
  readonly pointer?: string
}

/** Where the host caught an error. The host knows this itself and ignores what the error claims about it. */
export type ErrorPlace = Pick<ErrorFacts, 'plugin' | 'hook' | 'phase' | 'provider'>

/**
 * Converts any thrown value to a HostError. Its `code`, `status`, `retryable`, `retryAfter` and `pointer` are kept;
 * the host sets the facts in `place`.
 */
export function toHostError(
  thrown: unknown,
  place?: ErrorPlace,
  code: ErrorCode = 'HOOK_FAILED',
): HostError {
  if (HostError.is(thrown) && place === undefined) return thrown
  try {
    const own = typeof thrown === 'object' && thrown !== null ? thrown : {}
    const isCoded = 'code' in own && isText(own.code) && /^[A-Z][A-Z0-9_]*$/.test(own.code)
    const { status, retryable, retryAfter, pointer } = factsOf(own)
    const facts = { status, retryable, retryAfter, pointer, ...place, cause: thrown }
    return new HostError(isCoded ? String(own.code) : code, messageOf(thrown), facts)
  } catch (error) {
    // Reading the thrown value throws as well.
    const facts = { ...place, cause: error }
    return new HostError(code, 'a plugin threw an error that cannot be read', facts)
  }
}

/** The most characters that a message may have; longer ones are cut. */
const LONGEST_MESSAGE = 10_000

/** The message of any thrown value, as a text that is never empty. */
export function messageOf(thrown: unknown): string {
  try {
    const said: unknown = (Object(thrown) as Partial<Error>).message
    const own: unknown = said || (thrown instanceof Error ? thrown.name : thrown)
    if (isText(own))
      return advised(shortened(own), thrown) || 'an error without a message was thrown'
    return shortened(JSON.stringify(thrown) ?? String(thrown))
  } catch {
    return 'a value that cannot be shown was thrown'
  }
}

function advised(message: string, thrown: unknown): string {
  const advice = moduleAdvice(thrown)
  return advice === undefined ? message : `${asSentence(message)} ${advice}`
}

/** Cuts a text between two words if it can: masking would not recognize one half of a secret. */
function shortened(text: string): string {
  if (text.length <= LONGEST_MESSAGE) return text
  const end = text.lastIndexOf(' ', LONGEST_MESSAGE)
  return `${text.slice(0, end > LONGEST_MESSAGE / 2 ? end : LONGEST_MESSAGE)} …`
}

/** Copies an error with another message, for example one in which a secret is masked. */
export function withMessage(error: HostError, message: string): HostError {
  if (message === error.message) return error
  return new HostError(error.code, message, { ...factsOf(error), cause: error.cause })
}

/** Copies an error with other facts, for example with another cause. */
export function withFacts(error: HostError, facts: ErrorFacts): HostError {
  const { code, message, cause } = error
  return new HostError(code, message, { ...factsOf(error), cause, ...facts })
}

const FACT_TYPES = {
  status: 'number',
  retryable: 'boolean',
  retryAfter: 'number',
  version: 'number',
} as const

function factsOf(value: object): Omit<ErrorFacts, 'cause'> {
  const source = value as Record<string, unknown>
  const known = FACTS.filter((fact) => {
    const type = fact in FACT_TYPES ? FACT_TYPES[fact as keyof typeof FACT_TYPES] : 'string'
    return typeof source[fact] === type
  })
  return Object.fromEntries(known.map((fact) => [fact, source[fact]]))
}

function readable(value: unknown): PropertyDescriptor {
  return { value, enumerable: true, writable: false, configurable: true }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** Adds a full stop to a text, unless it ends with one or with `?` or `!`. */
export function asSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}
