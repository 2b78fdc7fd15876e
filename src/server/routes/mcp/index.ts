import type { Hono } from 'hono'
import { type Hold, holdFor } from '../../access/index.ts'
import { readJson } from '../../bodies/index.ts'
import type { RouteContext, RouteVariables, Services } from '../../context.ts'
import type { Dialect } from '../../dialect.ts'
import type { Identity } from '../../identity.ts'
import { mcpErrorAnswer, PARSE_ERROR, SESSION_UNKNOWN } from '../../wire/mcp/index.ts'
import type { McpGate } from './gate.ts'

export { McpGate } from './gate.ts'
export type { McpConnection, McpStreams } from './stdio.ts'

/** The requests whose body was not read to its end. */
const unread = new WeakSet<Request>()

/** The route by which clients of MCP call published agents. */
export function mcpRoutes(
  app: Hono<{ Variables: RouteVariables }>,
  services: Services,
  mcp: McpGate,
): void {
  for (const method of ['GET', 'POST', 'DELETE']) {
    app.on(method, '/mcp', (c) => respond(c, services, mcp))
  }
}

async function respond(c: RouteContext, services: Services, mcp: McpGate): Promise<Response> {
  const request = c.req.raw
  const identity = c.get('identity')
  const hold: Hold = (end) => holdFor(request, end)
  const caller = { services, identity, headers: request.headers, hold }
  if (request.method !== 'POST') return (await mcp.open()).respond(request, caller)
  unread.add(request)
  const body = await readJson(request, services.limits)
  unread.delete(request)
  await countFurther(body, services, identity)
  return (await mcp.open()).respond(request, caller, body)
}

/**
 * Revision 2025-03-26 has batches. Each message of one is a request to the limits.
 * @throws {HostError} TOO_MANY_REQUESTS, STORAGE_FAILED
 */
async function countFurther(
  body: unknown,
  { counts, shared }: Services,
  identity: Identity,
): Promise<void> {
  if (!Array.isArray(body)) return
  for (const _ of body.slice(1)) {
    counts.countRequest(identity)
    await shared.countRequest(identity)
  }
}

/** Returns the error format of a request before its message is handled. */
export function mcpDialectFor({ req: { raw } }: RouteContext): Dialect {
  return {
    errorAnswer: (error) => {
      if (error.code === 'SESSION_UNKNOWN') return mcpErrorAnswer(error, SESSION_UNKNOWN)
      const isUnread = unread.has(raw) && error.code === 'REQUEST_INVALID'
      return mcpErrorAnswer(error, isUnread ? PARSE_ERROR : undefined)
    },
  }
}
