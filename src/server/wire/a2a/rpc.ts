import { HostError, isObject, type JsonObject } from '@braidwork/plugin'
import { quoted, requestInvalid } from '../index.ts'
import type { RpcId } from './encoder.ts'
import type { A2aVersion } from './version.ts'

/** An operation of A2A, as this server names it. */
export type A2aOperation =
  | 'send'
  | 'stream'
  | 'get'
  | 'list'
  | 'cancel'
  | 'subscribe'
  | 'set-notification'
  | 'get-notification'
  | 'list-notifications'
  | 'delete-notification'
  | 'extended-card'

/** A request in the binding JSON-RPC. */
export interface RpcRequest {
  readonly operation: A2aOperation
  /** The version to which the name of the method belongs. */
  readonly version: A2aVersion
  readonly params: JsonObject
}

type Method = readonly [A2aOperation, A2aVersion]

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['SendMessage', ['send', '1.0']],
  ['SendStreamingMessage', ['stream', '1.0']],
  ['GetTask', ['get', '1.0']],
  ['ListTasks', ['list', '1.0']],
  ['CancelTask', ['cancel', '1.0']],
  ['SubscribeToTask', ['subscribe', '1.0']],
  ['CreateTaskPushNotificationConfig', ['set-notification', '1.0']],
  ['GetTaskPushNotificationConfig', ['get-notification', '1.0']],
  ['ListTaskPushNotificationConfigs', ['list-notifications', '1.0']],
  ['DeleteTaskPushNotificationConfig', ['delete-notification', '1.0']],
  ['GetExtendedAgentCard', ['extended-card', '1.0']],
  ['message/send', ['send', '0.3']],
  ['message/stream', ['stream', '0.3']],
  ['tasks/get', ['get', '0.3']],
  ['tasks/cancel', ['cancel', '0.3']],
  ['tasks/resubscribe', ['subscribe', '0.3']],
  ['tasks/pushNotificationConfig/set', ['set-notification', '0.3']],
  ['tasks/pushNotificationConfig/get', ['get-notification', '0.3']],
  ['tasks/pushNotificationConfig/list', ['list-notifications', '0.3']],
  ['tasks/pushNotificationConfig/delete', ['delete-notification', '0.3']],
  ['agent/getAuthenticatedExtendedCard', ['extended-card', '0.3']],
])

/** The id of a JSON-RPC request, or null if it has none that an answer can repeat. */
export function rpcIdIn(body: unknown): RpcId {
  const id = isObject(body) && Object.hasOwn(body, 'id') ? body['id'] : null
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RpcId) : null
}

/** Checks that a body is a request in JSON-RPC 2.0. @throws {HostError} REQUEST_INVALID */
export function assertRpc(body: unknown): asserts body is JsonObject & { readonly method: string } {
  if (!isObject(body)) throw requestInvalid([], 'The body must be one JSON-RPC request.')
  if (body['jsonrpc'] !== '2.0') throw requestInvalid(['jsonrpc'], '"jsonrpc" must be "2.0".')
  const { id = null, method } = body
  if (id !== null && rpcIdIn(body) === null) {
    throw requestInvalid(['id'], `"id" must be a string or a whole number, not ${quoted(id)}.`)
  }
  if (typeof method === 'string' && method !== '') return
  throw requestInvalid(['method'], '"method" must be the name of a method.')
}

/** Whether clients of a method read each answer as an event stream, also one that is an error. */
export function readsStreamOnly(method: string): boolean {
  const [operation, version] = METHODS.get(method) ?? []
  return version === '0.3' && (operation === 'stream' || operation === 'subscribe')
}

/**
 * Reads the method and the parameters of a JSON-RPC request.
 * @throws {HostError} METHOD_UNKNOWN, REQUEST_INVALID
 */
export function decodeRpc(body: JsonObject & { readonly method: string }): RpcRequest {
  const { method, params = {} } = body
  const [operation, version] = METHODS.get(method) ?? []
  if (operation === undefined || version === undefined) {
    throw new HostError('METHOD_UNKNOWN', `A2A has no method ${quoted(method)} here.`)
  }
  if (isObject(params)) return { operation, version, params }
  throw requestInvalid(['params'], `"params" must be an object, not ${quoted(params)}.`)
}
