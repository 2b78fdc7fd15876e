import { randomUUID } from 'node:crypto'
import type { Environment } from '@braidwork/agent'
import { HostError } from '@braidwork/plugin'
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpHttpHandler,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { McpCaller } from './caller.ts'
import { EventLog } from './event-log.ts'
import { type Asking, protocolServer } from './protocol-server.ts'
import { type Session, Sessions } from './sessions.ts'
import { watched } from './watched.ts'

export interface EndpointParts {
  readonly environment: Environment
  /** After how many milliseconds without an event a comment keeps a stream open. */
  readonly heartbeat: number
  /** After how many milliseconds without a connection the calls of a session are stopped. */
  readonly cancelAfter: number
}

const SESSION = 'mcp-session-id'
/** How long a stream stays open after the end of its caller's token, in milliseconds, for the errors of its calls. */
const LAST_WORDS = 500

/**
 * MCP over HTTP. Revision 2026-07-28 is served request by request. Earlier ones have sessions, which are kept in this
 * process.
 */
export class McpEndpoint implements Asking {
  readonly #parts: EndpointParts
  readonly #callers = new WeakMap<Request, McpCaller>()
  readonly #sessions: Sessions
  readonly #modern: McpHttpHandler

  constructor(parts: EndpointParts) {
    const { environment, cancelAfter, heartbeat: keepAliveMs } = parts
    this.#parts = parts
    const sleep = (milliseconds: number, signal?: AbortSignal) =>
      environment.sleep(milliseconds, signal)
    this.#sessions = new Sessions({ sleep, cancelAfter })
    const options = { legacy: 'reject', keepAliveMs } as const
    this.#modern = createMcpHandler(() => protocolServer(this), options)
  }

  /** @param body the JSON of a POST @throws {HostError} SESSION_UNKNOWN, REQUEST_INVALID */
  async respond(request: Request, caller: McpCaller, body?: unknown): Promise<Response> {
    this.#callers.set(request, caller)
    const parsed = body === undefined ? {} : { parsedBody: body }
    if (!(await isLegacyRequest(request, body))) {
      return this.#watch(caller, await this.#modern.fetch(request, parsed))
    }
    const session = this.#sessionFor(request, caller, body) ?? (await this.#begin(caller))
    const leave = session.connect()
    try {
      const response = await session.parts.transport.handleRequest(request, parsed)
      const isNew = request.headers.get(SESSION) === null
      if (isNew && !response.ok) await session.close()
      return this.#watch(caller, response, leave)
    } catch (error) {
      leave()
      throw error
    }
  }

  callerOf({ http }: ServerContext): McpCaller {
    const caller = http?.req && this.#callers.get(http.req)
    if (caller) return caller
    throw new HostError('REQUEST_INVALID', 'The message belongs to no request.')
  }

  beginCall({ sessionId }: ServerContext): () => void {
    return this.#sessions.get(sessionId)?.beginCall() ?? (() => undefined)
  }

  async close(): Promise<void> {
    await Promise.all([this.#sessions.close(), this.#modern.close()])
  }

  /** The session that a request names. Undefined for the beginning of one. */
  #sessionFor(request: Request, { identity }: McpCaller, body: unknown): Session | undefined {
    const id = request.headers.get(SESSION)
    if (id === null) {
      if (isInitializeRequest(body)) return undefined
      const message = `A request needs the header "Mcp-Session-Id" of its session, which the request "initialize" begins.`
      throw new HostError('REQUEST_INVALID', message)
    }
    const found = this.#sessions.find(id, identity.id)
    if (found) return found
    const message = 'There is no such session, or it has ended. Begin a new one with "initialize".'
    throw new HostError('SESSION_UNKNOWN', message)
  }

  async #begin({ identity }: McpCaller): Promise<Session> {
    const id = randomUUID()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: new EventLog(),
      keepAliveMs: this.#parts.heartbeat,
    })
    const server = protocolServer(this)
    const end = () => this.#sessions.end(id)
    server.onclose = end
    await server.connect(transport)
    return this.#sessions.add({ id, owner: identity.id, transport })
  }

  /** Ends a stream when the token of its caller ends. The calls that it answers end with an error first. */
  #watch({ hold }: McpCaller, response: Response, onEnd: () => void = () => undefined): Response {
    const over = new AbortController()
    let release: () => void = () => undefined
    const { response: shown, cut } = watched(response, () => {
      release()
      over.abort()
      onEnd()
    })
    if (shown.body && hold) release = hold(() => void this.#afterLastWords(cut, over.signal))
    return shown
  }

  /** @param over aborts if the stream ends by itself */
  async #afterLastWords(cut: () => void, over: AbortSignal): Promise<void> {
    try {
      await this.#parts.environment.sleep(LAST_WORDS, over)
      cut()
    } catch (error) {
      if (!over.aborted) throw error
    }
  }
}
