import { headersOf, type PublicError, type WireAnswer } from '../index.ts'
import type { RpcId } from './encoder.ts'

/** How A2A calls an error: the code of JSON-RPC, the reason, and the name of the status in HTTP+JSON. */
interface A2aKind {
  readonly rpc: number
  readonly reason?: string
  /** Where it is another one than that of the error. */
  readonly status?: number
  readonly name: string
}

const PROTOCOL_DOMAIN = 'a2a-protocol.org'
const OWN_DOMAIN = 'braidwork'
const INTERNAL = -32603
const INVALID_PARAMS = -32602

const KINDS: ReadonlyMap<string, A2aKind> = new Map([
  ['RUN_UNKNOWN', { rpc: -32001, reason: 'TASK_NOT_FOUND', name: 'NOT_FOUND' }],
  ['NOTIFICATION_UNKNOWN', { rpc: -32001, reason: 'TASK_NOT_FOUND', name: 'NOT_FOUND' }],
  [
    'RUN_NOT_ACTIVE',
    { rpc: -32002, reason: 'TASK_NOT_CANCELABLE', status: 400, name: 'FAILED_PRECONDITION' },
  ],
  [
    'NOTIFICATIONS_UNSUPPORTED',
    { rpc: -32003, reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED', name: 'FAILED_PRECONDITION' },
  ],
  [
    'OPERATION_UNSUPPORTED',
    { rpc: -32004, reason: 'UNSUPPORTED_OPERATION', name: 'FAILED_PRECONDITION' },
  ],
  // A context has one task that is worked on.
  [
    'CONVERSATION_BUSY',
    { rpc: -32004, reason: 'UNSUPPORTED_OPERATION', status: 400, name: 'FAILED_PRECONDITION' },
  ],
  // What the task asked has expired, or has an answer.
  [
    'APPROVAL_EXPIRED',
    { rpc: -32004, reason: 'UNSUPPORTED_OPERATION', status: 400, name: 'FAILED_PRECONDITION' },
  ],
  [
    'VERSION_UNSUPPORTED',
    { rpc: -32009, reason: 'VERSION_NOT_SUPPORTED', name: 'FAILED_PRECONDITION' },
  ],
  ['METHOD_UNKNOWN', { rpc: -32601, name: 'NOT_FOUND' }],
])

/** The names of statuses in HTTP+JSON. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [409, 'ABORTED'],
  [413, 'OUT_OF_RANGE'],
  [429, 'RESOURCE_EXHAUSTED'],
  [503, 'UNAVAILABLE'],
  [529, 'UNAVAILABLE'],
])

/** The statuses that a JSON-RPC answer has too. All other errors of requests are answers like any, with status 200. */
const SHOWN: ReadonlySet<number> = new Set([401, 403, 413, 421, 429])

function kindOf({ code, status }: PublicError): A2aKind {
  const known = KINDS.get(code)
  if (known) return known
  const isOfRequest = status === 400 || status === 404 || status === 422
  if (isOfRequest) {
    const name = status === 404 ? 'NOT_FOUND' : 'INVALID_ARGUMENT'
    return { rpc: INVALID_PARAMS, reason: 'INVALID_PARAMS', name }
  }
  return { rpc: INTERNAL, name: NAMES.get(status) ?? 'INTERNAL' }
}

/** What kind of error it is, and the field of a request that is wrong. */
function detailsOf({ code, pointer }: PublicError, { reason }: A2aKind): readonly object[] {
  return [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: reason ?? code,
      domain: reason === undefined ? OWN_DOMAIN : PROTOCOL_DOMAIN,
      ...(pointer === undefined ? {} : { metadata: { pointer: fieldAt(pointer) } }),
    },
  ]
}

/** A request has its one message in the field `message`. */
function fieldAt(pointer: string): string {
  return pointer === '/messages' ? '/message/parts' : pointer
}

/** Formats an error for the binding HTTP+JSON. */
export function a2aErrorAnswer(error: PublicError): WireAnswer {
  const kind = kindOf(error)
  const { status = error.status, name } = kind
  const { message } = error
  const body = { error: { code: status, status: name, message, details: detailsOf(error, kind) } }
  return { status, headers: headersOf(error), body }
}

/** What is known of a JSON-RPC request when it fails. */
export interface RpcFailure {
  readonly id: RpcId
  /** The code of JSON-RPC for a request that cannot be read. Absent once it has been. */
  readonly unread?: -32_700 | -32_600
  /** Whether the client reads an event stream only. */
  readonly isStream?: boolean
}

/** Formats an error for the binding JSON-RPC. */
export function a2aRpcErrorAnswer(error: PublicError, failure: RpcFailure): WireAnswer {
  const { id, unread, isStream = false } = failure
  const kind = kindOf(error)
  const isUnread = unread !== undefined && kind.rpc === INVALID_PARAMS
  const code = isUnread ? unread : kind.rpc
  const data = detailsOf(error, kind)
  const isShown = unread !== undefined || SHOWN.has(error.status) || error.status >= 500
  const status = isShown ? error.status : 200
  const body = { jsonrpc: '2.0', id, error: { code, message: error.message, data } }
  // The official servers of version 0.3 send this event, and their clients read no other answer.
  const event = isStream && !isShown ? { event: 'error' } : {}
  return { status, headers: headersOf(error), body, ...event }
}
