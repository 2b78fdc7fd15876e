import { ERROR_CODES, type ErrorCode, type HostError, type Log } from '@braidwork/plugin'
import { throwSiteOf, toHostError } from '@braidwork/plugin/internal'
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

function inItsWords({ code, message }: HostError) {
  return { code, message }
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
  const { code, message, plugin, hook, status, pointer, cause } = error
  if (plugin === undefined) return { code, message }
  const meaning = ERROR_CODES[code as ErrorCode] ?? 'it failed with a code of its own'
  return {
    code,
    message: `Plugin "${plugin}": ${meaning.replace(/^provider: /, '')}`,
    plugin,
    ...(hook === undefined ? {} : { hook }),
    ...(status === undefined ? {} : { status }),
    // Other pointers may lead into the request.
    ...(pointer?.startsWith('/settings/') ? { pointer } : {}),
    ...(cause instanceof Error ? { cause: kindOf(cause), at: throwSiteOf(cause) } : {}),
  }
}

/** The name of a built-in error class. An error's own `name` could contain any text. */
function kindOf(error: Error): string {
  return KINDS.find((kind) => error instanceof kind)?.name ?? 'Error'
}

const KINDS = [TypeError, RangeError, SyntaxError, ReferenceError, URIError, EvalError]
