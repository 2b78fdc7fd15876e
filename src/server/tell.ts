import { causePlace, pointerPath, thrownClass, thrownStack } from '@braidwork/core/internal'
import { ERROR_CODES, type ErrorCode, type HostError, type Log, pointerOf } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import { withPlace } from './asked-format.ts'
import { dataOf } from './dialect.ts'
import { systemCode } from './system-code.ts'
import { publicError } from './wire/index.ts'

export interface TellOptions {
  readonly runId?: string
  /** The agent or model that was asked. */
  readonly agent?: string
  /** Where the client sent the schema of the answer. A fault of it is the client's. */
  readonly schemaPlace?: string | undefined
  /** The path of a request that is no run. */
  readonly path?: string
  /** The configs of the operator, of which the log may name every key. */
  readonly configs?: readonly unknown[]
  /** Whether the log may contain the contents of requests and responses. */
  readonly logsContent?: boolean
}

/** Logs the details of an error that the client is not shown, for the operator of the server. */
export function tell(log: Log, thrown: unknown, options: TellOptions = {}): void {
  const { runId, agent, path, configs, logsContent } = options
  const error = toHostError(thrown)
  const data = withPlace(dataOf(error), options)
  const { status, message, code } = publicError(data)
  if (status < 500 && message === data.message) return
  const { upstreamRequestId } = error
  const facts = {
    ...(agent === undefined ? {} : { agent }),
    ...(runId === undefined ? {} : { runId }),
    ...(path === undefined ? {} : { path }),
    ...(upstreamRequestId === undefined ? {} : { upstreamRequestId }),
  }
  const told = logsContent ? inItsWords(error) : inOurWords(error, configs)
  // A server that stops refuses requests as it should.
  const level = code === 'HOST_CLOSED' ? 'warn' : 'error'
  log({ level, ...told, ...facts })
}

function inItsWords(error: HostError) {
  const { code, message, cause, pointer } = error
  const stack = cause instanceof Error ? thrownStack(cause) : ''
  return {
    code,
    message,
    ...placeOf(error),
    ...(pointer === undefined ? {} : { pointer }),
    ...(stack === '' ? {} : { stack }),
  }
}

/**
 * Describes an error without quoting it, since the message of a model API or a plugin may quote the request. The
 * result says where the error occurred and of what kind it is.
 */
export function inOurWords(
  error: HostError,
  configs: readonly unknown[] = [],
): {
  readonly code: string
  readonly message: string
  readonly [fact: string]: unknown
} {
  const { code, message, plugin, status } = error
  if (code === 'REMOTE_AGENT_FAILED') return { code, message: ownWords(message) }
  const pointer = toldPointer(error, configs)
  const place = pointer === undefined ? {} : { pointer }
  if (plugin === undefined) return { code, message, ...place }
  // The check of settings by the host, which sees no request.
  const isOfSettings = code === 'SETTINGS_INVALID' && error.hook === undefined
  const meaning = meaningOf(error)
  return {
    code,
    message: isOfSettings ? message : `Plugin "${plugin}": ${meaning.replace(/^provider: /, '')}`,
    ...placeOf(error),
    ...(status === undefined ? {} : { status }),
    ...place,
  }
}

/** A provider may refuse a request before it asks its API. */
const UNSENT = 'the model does not take a part of the request, which was not sent'

function meaningOf({ code, hook }: HostError): string {
  if (code === 'INVALID_REQUEST' && hook === 'toNative') return UNSENT
  return ERROR_CODES[code as ErrorCode] ?? 'it failed with a code of its own'
}

/** The words of this side about a remote agent. Its own words follow after a colon. */
function ownWords(message: string): string {
  const [own = ''] = message.split(': ', 1)
  return own === message ? own : `${own}.`
}

/**
 * The place of a setting, or of a value of a config as far as a config of the operator has its keys: other keys, and
 * other pointers, may be words of the request. The first key is always one of a config.
 */
function toldPointer({ code, pointer = '' }: HostError, configs: readonly unknown[]) {
  if (/^(?:\/config)?\/settings\//.test(pointer)) return pointer
  if (/^\/messages(?:\/\d{1,9}(?:\/parts\/\d{1,9})?)?$/.test(pointer)) return pointer
  if (code !== 'CONFIG_INVALID' || !pointer.startsWith('/')) return undefined
  const keys = pointerPath(pointer)
  const known = Math.max(1, ...configs.map((config) => depthOf(config, keys)))
  return pointerOf(keys.slice(0, known))
}

/** How many keys of a pointer lead through a value. */
function depthOf(value: unknown, keys: readonly string[]): number {
  let inner = value
  for (const [depth, key] of keys.entries()) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return depth
    inner = (inner as { readonly [key: string]: unknown })[key]
  }
  return keys.length
}

/** The plugin and the hook that failed, the class of the error that it threw, and the place in its code. */
function placeOf({ plugin, hook, cause }: HostError) {
  return {
    ...(plugin === undefined ? {} : { plugin }),
    ...(hook === undefined ? {} : { hook }),
    ...(cause instanceof Error ? { cause: thrownClass(cause), at: causePlace(cause) } : {}),
    ...reasonOf(cause),
  }
}

/** Why a connection failed, by the code of the system. */
function reasonOf(cause: unknown): { readonly reason?: string } {
  const reason = systemCode(cause)
  return reason === undefined ? {} : { reason }
}
