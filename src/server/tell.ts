import { causePlace, thrownClass, thrownStack } from '@braidwork/core/internal'
import { ERROR_CODES, type ErrorCode, type HostError, type Log } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import { dataOf } from './dialect.ts'
import { publicError } from './wire/index.ts'

export interface TellOptions {
  readonly runId?: string
  /** Whether the log may contain the contents of requests and responses. */
  readonly logsContent?: boolean
}

/** Logs the details of an error that the client is not shown, for the operator of the server. */
export function tell(log: Log, thrown: unknown, { runId, logsContent }: TellOptions = {}): void {
  const error = toHostError(thrown)
  const { status, message } = publicError(dataOf(error))
  if (status < 500 && message === error.message) return
  const { upstreamRequestId } = error
  const facts = {
    ...(runId === undefined ? {} : { runId }),
    ...(upstreamRequestId === undefined ? {} : { upstreamRequestId }),
  }
  log({ level: 'error', ...(logsContent ? inItsWords(error) : inOurWords(error)), ...facts })
}

function inItsWords(error: HostError) {
  const { code, message, cause } = error
  const stack = cause instanceof Error ? thrownStack(cause) : ''
  return { code, message, ...placeOf(error), ...(stack === '' ? {} : { stack }) }
}

/**
 * Describes an error without quoting it, since the message of a model API or a plugin may quote the request. The
 * result says where the error occurred and of what kind it is.
 */
export function inOurWords(error: HostError): {
  readonly code: string
  readonly message: string
  readonly [fact: string]: unknown
} {
  const { code, message, plugin, status, pointer } = error
  if (code === 'REMOTE_AGENT_FAILED') return { code, message: ownWords(message) }
  if (plugin === undefined) return { code, message }
  const meaning = ERROR_CODES[code as ErrorCode] ?? 'it failed with a code of its own'
  return {
    code,
    message: `Plugin "${plugin}": ${meaning.replace(/^provider: /, '')}`,
    ...placeOf(error),
    ...(status === undefined ? {} : { status }),
    // Other pointers may lead into the request.
    ...(pointer?.startsWith('/settings/') ? { pointer } : {}),
  }
}

/** The words of this side about a remote agent. Its own words follow after a colon. */
function ownWords(message: string): string {
  const [own = ''] = message.split(': ', 1)
  return own === message ? own : `${own}.`
}

/** The plugin and the hook that failed, the class of the error that it threw, and the place in its code. */
function placeOf({ plugin, hook, cause }: HostError) {
  return {
    ...(plugin === undefined ? {} : { plugin }),
    ...(hook === undefined ? {} : { hook }),
    ...(cause instanceof Error ? { cause: thrownClass(cause), at: causePlace(cause) } : {}),
  }
}
