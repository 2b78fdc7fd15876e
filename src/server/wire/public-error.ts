import { SERVER_STOPPING } from '@braidwork/agent/internal'
import type { ErrorData } from '@braidwork/plugin'
import { type Overflow, overflowIn } from './overflow.ts'

interface PublicKind {
  readonly status: number
  /**
   * The message for the client. Without it the client gets the error's own message, which concerns only the
   * client's request.
   */
  readonly message?: string
  /** The code for the client, where the error's own says less. */
  readonly code?: string
  /** False if the same request fails every time. */
  readonly retryable?: false
  /** In seconds, where the error has no time of its own. */
  readonly retryAfter?: number
}

/** A spec that is broken is a fault of the server, whose log has the details. */
const BROKEN: PublicKind = {
  status: 500,
  message: 'The agent cannot run: its spec is broken.',
  retryable: false,
}
const REFUSED: PublicKind = { status: 400, message: 'The model API refused the request.' }
const HIDDEN: PublicKind = { status: 500, message: 'The server failed to process the request.' }

/** The seconds after which a server that was stopped may be there again, or another one in its place. */
const RESTART = 1

/** How clients see each error code. All other codes are internal and hidden. */
const PUBLIC: ReadonlyMap<string, PublicKind> = new Map([
  ['ABORTED', { status: 499, message: 'The run was stopped.', retryable: false }],
  ['AGENT_NAME_TAKEN', { status: 409 }],
  ['AGENT_UNKNOWN', { status: 404 }],
  ['APPROVAL_EXPIRED', { status: 410 }],
  ['APPROVAL_UNKNOWN', { status: 404 }],
  ['BACKEND_INCAPABLE', { status: 400 }],
  ['CIRCUIT_OPEN', { status: 503, message: 'The model API failed repeatedly. Try again later.' }],
  ['CONTENT_FILTERED', { status: 422, message: 'The model refused, or its answer was filtered.' }],
  ['CONTEXT_OVERFLOW', { status: 400, message: 'The messages are too long for the model.' }],
  ['COMPACTION_BUSY', { status: 409 }],
  ['COMPACTION_FAILED', { status: 502 }],
  ['COMPACTION_NEEDLESS', { status: 409 }],
  ['CONVERSATION_BUSY', { status: 409 }],
  ['CONVERSATION_EXISTS', { status: 409 }],
  ['CONVERSATION_UNKNOWN', { status: 404 }],
  ['ENCODING_UNSUPPORTED', { status: 415 }],
  ['ENTRY_UNKNOWN', { status: 404 }],
  ['HOST_CLOSED', { status: 503, message: 'The server is stopping.', retryAfter: RESTART }],
  ['HOST_FOREIGN', { status: 421 }],
  ['IDEMPOTENCY_KEY_REUSED', { status: 422 }],
  ['INVALID_REQUEST', REFUSED],
  ['ISSUER_AWAY', { status: 503, message: 'The issuer of tokens does not answer.' }],
  ['MESSAGES_INVALID', { status: 400 }],
  ['METHOD_UNKNOWN', { status: 404 }],
  ['MODEL_NOT_FOUND', BROKEN],
  ['MODEL_UNKNOWN', { status: 404, message: 'The model API does not know the model.' }],
  ['MODEL_UNPUBLISHED', { status: 404 }],
  ['NOTIFICATIONS_UNSUPPORTED', { status: 400 }],
  ['NOTIFICATION_UNKNOWN', { status: 404 }],
  ['OPERATION_UNSUPPORTED', { status: 400 }],
  ['ORIGIN_FOREIGN', { status: 403 }],
  ['OVERLOADED', { status: 529, message: 'The model API is overloaded.' }],
  ['PROVIDER_FAILED', { status: 502, message: 'The model API failed.' }],
  [
    'PROVIDER_UNAUTHORIZED',
    { status: 502, message: 'The model API refused the credentials of the server.' },
  ],
  [
    'OUTPUT_INVALID',
    {
      status: 422,
      message: 'The answer of the model does not have the format that was asked for.',
      retryable: false,
    },
  ],
  ['PLUGIN_NOT_FOUND', BROKEN],
  ['PROVIDER_NOT_FOUND', BROKEN],
  ['QUOTA_EXCEEDED', { status: 429, message: 'The quota of the model API is used up.' }],
  ['RATE_LIMITED', { status: 429, message: 'The model API is limiting requests at present.' }],
  ['REMOTE_AGENT_FAILED', { status: 502, message: 'The remote agent failed.' }],
  ['REQUEST_INVALID', { status: 400 }],
  ['REQUEST_TOO_LARGE', { status: 413 }],
  ['RUN_NOT_ACTIVE', { status: 409 }],
  ['RUN_INTERRUPTED', { status: 500, message: 'The run was interrupted.' }],
  ['RUN_UNKNOWN', { status: 404 }],
  ['SESSION_UNKNOWN', { status: 404 }],
  ['SPEC_CHANGED', { status: 412 }],
  ['SPEC_INVALID', BROKEN],
  ['STORAGE_FAILED', { status: 503, message: 'The storage of the server failed.' }],
  ['STORAGE_QUOTA_EXCEEDED', { status: 413 }],
  ['STREAM_INTERRUPTED', { status: 502, message: 'The stream of the model API ended too early.' }],
  ['TIMEOUT', { status: 504, message: 'The run took too long.' }],
  ['TOOL_NAME_TAKEN', { status: 400 }],
  ['TOOL_SCHEMA_INVALID', { status: 400 }],
  ['TOO_MANY_REQUESTS', { status: 429 }],
  ['UNAUTHORIZED', { status: 401 }],
  ['VERSION_UNSUPPORTED', { status: 400 }],
])

/** An error without internal details of the server: a code, a message and a status. */
export interface PublicError {
  readonly code: string
  readonly message: string
  /** The HTTP status, for an error before the first byte. */
  readonly status: number
  readonly pointer?: string
  /** How long the messages are, and may be, where the code is CONTEXT_OVERFLOW and the numbers are known. */
  readonly overflow?: Overflow
  /** In seconds. */
  readonly retryAfter?: number
  /** False if the same request fails every time, so that a client need not repeat it. */
  readonly retryable?: false
}

/**
 * An error of a run or of a request. If it is shown, clients may read what a model API said when it refused a request. If
 * it is the caller's own, it is about what the caller set, so it may read all of it.
 */
export type ShownError = ErrorData & { readonly isShown?: true; readonly isOwn?: true }

const OWN: PublicKind = { status: 400 }

/** Refusals of which the status of the model API says more than its code, by this status. */
const OF_STATUS: ReadonlyMap<number | undefined, PublicKind> = new Map([
  [
    404,
    {
      status: 404,
      code: 'MODEL_UNKNOWN',
      message: 'The model API has no model of that name, or no such address.',
    },
  ],
  [
    413,
    {
      status: 413,
      code: 'REQUEST_TOO_LARGE',
      message:
        'The request is larger than the model API takes. Shorten the messages, or send fewer or smaller files.',
    },
  ],
])

/** A file that the model does not take, for example. */
const NOT_TAKEN: PublicKind = {
  status: 400,
  message: 'The model does not take a part of the messages, such as a file of its type or size.',
}

/** A model API that did not answer in time. The time of the run itself was not up. */
const LATE: PublicKind = { status: 504, message: 'The model API took too long.' }

/** A run that a person stopped stays stopped. One that ended with its server can be asked for again. */
function codeOf({ code, message }: ShownError): string {
  return code === 'ABORTED' && message === SERVER_STOPPING ? 'HOST_CLOSED' : code
}

function kindOf(error: ShownError): PublicKind {
  const { message, isShown, isOwn, provider, status, pointer } = error
  const code = codeOf(error)
  if (isOwn) return OWN
  if (code === 'TIMEOUT' && (provider !== undefined || status !== undefined)) return LATE
  if (code !== 'INVALID_REQUEST') return PUBLIC.get(code) ?? HIDDEN
  const kind = OF_STATUS.get(status) ?? (isPart(pointer) ? NOT_TAKEN : REFUSED)
  return isShown ? { ...kind, message } : kind
}

/** Removes internal details from an error. These belong only in the server's log. */
export function publicError(error: ShownError): PublicError {
  const { message, pointer, isShown, status: told } = error
  const isRefusal = error.code === 'INVALID_REQUEST'
  const kind = kindOf(error)
  const { code = codeOf(error), status, message: hiding, retryable = error.retryable } = kind
  const { retryAfter = kind.retryAfter } = error
  const field = isRefusal && !isPart(pointer) ? fieldAt(pointer) : undefined
  const refusal =
    isShown || field === undefined ? hiding : `${refuserOf(told)} the field "${field}".`
  const isPlaced = pointer !== undefined && (hiding === undefined || field !== undefined)
  const overflow = code === 'CONTEXT_OVERFLOW' ? overflowIn(message) : undefined
  return {
    code,
    message: refusal ?? message,
    status,
    ...(overflow === undefined ? {} : { overflow }),
    ...(isPlaced ? { pointer: isOfMessages(error) ? '/messages' : pointer } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(retryable === false ? { retryable } : {}),
  }
}

/** Only an API that was asked has a status. A provider may refuse a request without asking its API. */
function refuserOf(status: number | undefined): string {
  return status === undefined ? 'The model does not take' : 'The model API refused'
}

/** Whether a pointer names a part of the host's own messages. Clients write the part in fields of their protocol. */
function isPart(pointer: string | undefined): boolean {
  return pointer !== undefined && /^\/messages\/\d+\/parts\//.test(pointer)
}

/** Whether a pointer names a place in the host's own messages, which are not those of a request: it may join some. */
function isOfMessages({ code, pointer = '' }: ShownError): boolean {
  return code === 'MESSAGES_INVALID' && /^(?:\/messages)?\/\d+(?:\/|$)/.test(pointer)
}

/** A pointer to a field of a request: only names and indexes, so that it quotes no text. */
const FIELD = /^(?:\/\w{1,64}){1,9}$/

function fieldAt(pointer: string | undefined): string | undefined {
  const isField = pointer !== undefined && FIELD.test(pointer)
  return isField ? pointer.slice(1).replaceAll('/', '.') : undefined
}
