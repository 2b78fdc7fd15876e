import { ERROR_CODES, type ErrorCode } from './error-codes.ts'

/** Where in a request an error arose; also a hook's `context.phase`. */
export type Phase = 'resolve' | 'prepare' | 'partials' | 'finals' | 'tools' | 'settings'

/** What is known of an error beside its code and message. */
export interface ErrorFacts {
  readonly plugin?: string | undefined
  readonly hook?: string | undefined
  readonly phase?: Phase | undefined
  /** JSON pointer (RFC 6901) into the config, the messages or the answer that is wrong. */
  readonly pointer?: string | undefined
  readonly provider?: string | undefined
  /** HTTP status of the API's answer. */
  readonly status?: number | undefined
  readonly retryable?: boolean | undefined
  /** Seconds to wait before the next try. */
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
}

/** An error as JSON: what a terminal `error` event carries. */
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
] as const satisfies readonly Exclude<keyof ErrorFacts, 'cause'>[]

/**
 * Every error of a request. `code` is one of {@link ERROR_CODES}, or a plugin's own.
 * Tell it by {@link HostError.is}: two copies of the package may be loaded at once.
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
      // What throws when it is looked at is no error of a host.
      return false
    }
  }

  /** Code, message and facts, without cause and stack. */
  toJSON(): ErrorData {
    return { code: this.code, message: this.message, ...factsOf(this) }
  }
}

/** What concerns one plugin, or an id in a list; the host stands. */
export interface Diagnostic {
  readonly code: string
  readonly level: 'error' | 'warning' | 'info'
  readonly message: string
  readonly plugin?: string
  readonly pointer?: string
}

/** Where an error arose, as the host knows it: what a thrown error says of that is not believed. */
export type ErrorPlace = Pick<ErrorFacts, 'plugin' | 'hook' | 'phase' | 'provider'>

/**
 * Any thrown value as a HostError. Its own `code`, `status`, `retryable`, `retryAfter` and `pointer` are
 * taken over; `place` is the host's.
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
    // What was thrown throws again when it is looked at.
    return new HostError(code, 'an error that cannot be read was thrown', {
      ...place,
      cause: error,
    })
  }
}

/** Characters of a message; who reads it wants no more. */
const LONGEST_MESSAGE = 10_000

/** A sentence for any thrown value; never empty. */
export function messageOf(thrown: unknown): string {
  try {
    const own: unknown = thrown instanceof Error ? thrown.message || thrown.name : thrown
    if (isText(own)) return shortened(own) || 'an error without a message was thrown'
    return shortened(JSON.stringify(thrown) ?? String(thrown))
  } catch {
    return 'a value that cannot be shown was thrown'
  }
}

/** Cut between words where there are any: half a secret would not be known as one. */
function shortened(text: string): string {
  if (text.length <= LONGEST_MESSAGE) return text
  const end = text.lastIndexOf(' ', LONGEST_MESSAGE)
  return `${text.slice(0, end > LONGEST_MESSAGE / 2 ? end : LONGEST_MESSAGE)} …`
}

/** The same error with another message, as when a secret in it was masked. */
export function withMessage(error: HostError, message: string): HostError {
  if (message === error.message) return error
  return new HostError(error.code, message, { ...factsOf(error), cause: error.cause })
}

/** The same error with another cause. */
export function withCause(error: HostError, cause: unknown): HostError {
  return new HostError(error.code, error.message, { ...factsOf(error), cause })
}

/** The same error with the messages that had arrived; they are no part of its JSON. */
export function withPartial(error: HostError, partial: readonly object[]): HostError {
  const copy = new HostError(error.code, error.message, { ...factsOf(error), cause: error.cause })
  Object.defineProperty(copy, 'partial', { ...readable(partial), enumerable: false })
  return copy
}

const FACT_TYPES = { status: 'number', retryable: 'boolean', retryAfter: 'number' } as const

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

/** A text as it stands within others: with its end, and one only. */
export function asSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}

/** Where an error was thrown, as `/path/module.js:3`; nothing where that is not known, or within Node. */
export function throwSiteOf(error: unknown): string | undefined {
  try {
    const stack = error instanceof Error ? String(error.stack) : ''
    return /(?:file:\/\/|\(|at )(\/[^\s():]+:\d+)/.exec(stack)?.[1]
  } catch {
    return undefined
  }
}
