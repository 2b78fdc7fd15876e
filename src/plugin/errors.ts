/** What each code of a {@link HostError} means; the codes that a provider throws are marked so. */
export const ERROR_CODES = {
  ABORTED: 'the caller, or a reader that left, cancelled the request',
  AGENT_NAME_TAKEN: 'another agent has that name',
  AGENT_UNKNOWN: 'there is no agent of that id, or it is not yours',
  APPROVAL_EXPIRED:
    'the answer came after the time in which it was asked for; the call was not run',
  APPROVAL_UNKNOWN: 'there is no approval of that id',
  CONFIG_INVALID: 'a value of the config is wrong; `pointer` says where',
  CONTENT_FILTERED: 'provider: the model refused or its answer was filtered',
  CONTEXT_OVERFLOW: 'the messages do not fit into the context of the model',
  CONVERSATION_BUSY: 'a run is active in the conversation; wait for its end, or stop it',
  CONVERSATION_EXISTS: 'a conversation of that id is there already',
  CONVERSATION_UNKNOWN: 'there is no conversation of that id, or it is not yours',
  ENTRY_UNKNOWN: 'the conversation has no entry of that id',
  ENV_MISSING: 'a `${env:NAME}` of the config names a variable that is not set',
  EVENTS_INVALID: 'a plugin made a stream of events that breaks the rules of events',
  HOOK_ANSWER_INVALID: 'a hook answered with a value of the wrong shape',
  HOOK_FAILED: 'a hook threw an error without a code of its own',
  HOST_CLOSED: 'the host was closed',
  HOST_FOREIGN: 'the request names a host that the server does not go by',
  IDEMPOTENCY_KEY_REUSED:
    'the request has the `Idempotency-Key` of another that asked for something else',
  INVALID_REQUEST: 'provider: the API refused the request as malformed',
  MANIFEST_INVALID: "a package's manifest is not one",
  MESSAGES_INVALID: 'the messages are not what a request takes; `pointer` says where',
  METHOD_UNKNOWN: 'the server has no such address, or does not take that method there',
  MODEL_UNKNOWN: 'provider: the API does not know the model',
  MODEL_UNPUBLISHED: 'the server publishes no model of that name',
  OPTION_INVALID: 'an option of a door has a value that it does not take',
  ORIGIN_FOREIGN: 'a page of an origin that the server does not know called it',
  OVERLOADED: 'provider: the API is overloaded',
  PACKAGE_MISSING: 'a package that extends the host is needed and not installed',
  PLUGIN_INVALID: 'what was given as a plugin is none',
  PLUGIN_OFF: 'the plugin is off for this config',
  PLUGIN_UNKNOWN: 'no plugin of that name is registered',
  PROVIDER_FAILED: 'provider: the API failed in a way that has no code of its own',
  PROVIDER_MISSING: 'the config names no provider, and there is not exactly one to take',
  PROVIDER_UNAUTHORIZED: 'provider: the key is missing or was refused',
  PROVIDER_UNKNOWN: 'the config names a provider that is not registered',
  PYTHON_ANSWER_INVALID:
    'what a Python plugin gave is not JSON (NaN, a set, an integer beyond 2^53, …); `pointer` says where',
  PYTHON_CRASHED: 'the interpreter of a Python plugin ended while it was needed',
  PYTHON_ENVIRONMENT_MISSING:
    'a Python plugin needs packages whose environment was not made, or is gone',
  PYTHON_INSTALL_FAILED: 'the environment of a Python plugin could not be made',
  PYTHON_MISSING: 'there is no Python, or one that is too old',
  QUOTA_EXCEEDED: 'provider: the account has no quota left',
  RATE_LIMITED: 'provider: too many requests; `retryAfter` has the seconds, where known',
  READER_BEHIND:
    'a reader was so slow that what it has not read is not kept for it; it may come back',
  REQUEST_INVALID: 'what a client sent is not what its protocol asks for; `pointer` says where',
  REQUEST_TOO_LARGE: 'what a client sent is larger than the server takes',
  RESOLUTION_FAILED: 'the provider failed while the plugins for the config were worked out',
  RUN_INTERRUPTED: 'the process that ran it ended before the run did; what it had stored is there',
  RUN_UNKNOWN: 'there is no run of that id, or it is not yours',
  SETTINGS_INVALID: "a plugin's settings do not match its schema; `pointer` says where",
  SETTINGS_SCHEMA_INVALID:
    "the schema of a plugin's settings is none, or none that a form can show",
  STORAGE_FAILED: 'what should be stored or read could not be',
  STORAGE_NEWER: 'the database was written by a newer version',
  STORAGE_QUOTA_EXCEEDED: 'as much is stored for the caller as the server keeps for one',
  STREAM_INTERRUPTED: 'provider: the stream ended before the answer did',
  TIMEOUT: 'a hook, or the provider, took longer than its limit',
  TOOL_NAME_TAKEN: 'two tools offer a schema of the same name',
  TOOL_SCHEMA_INVALID: 'a tool offers something that is not a tool schema',
  TOO_MANY_REQUESTS: 'the caller is over its limit on this server; `retryAfter` has the seconds',
  UNAUTHORIZED: 'the server does not know the caller: the token is missing or wrong',
} as const

export type ErrorCode = keyof typeof ERROR_CODES

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
