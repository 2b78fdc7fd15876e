import type { RouteContext } from '../../context.ts'
import type { Dialect } from '../../dialect.ts'
import { a2aErrorAnswer, a2aRpcErrorAnswer, type RpcFailure } from '../../wire/a2a/index.ts'

const HTTP_JSON: Dialect = { errorAnswer: a2aErrorAnswer }

/** What is known of the JSON-RPC requests in progress. */
const failures = new WeakMap<Request, RpcFailure>()

/** The path of an agent's endpoint of JSON-RPC. */
const ENDPOINT = /\/a2a\/[^/]+\/?$/

/** Says how a JSON-RPC request fails from now on. */
export function setRpcFailure(request: Request, failure: RpcFailure): void {
  failures.set(request, failure)
}

/** Returns the error format of the binding that a request uses. */
export function a2aDialectFor({ req }: RouteContext): Dialect {
  const isRpc = req.method === 'POST' && ENDPOINT.test(req.path)
  if (!isRpc) return HTTP_JSON
  const failure = failures.get(req.raw) ?? { id: null }
  return { errorAnswer: (error) => a2aRpcErrorAnswer(error, failure) }
}
