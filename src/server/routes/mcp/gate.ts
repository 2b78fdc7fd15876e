import type { McpCaller } from './caller.ts'
import type { EndpointParts, McpEndpoint } from './endpoint.ts'
import type { McpConnection, McpStreams } from './stdio.ts'

/** The endpoint of MCP. Its SDK loads with the first request. */
export class McpGate {
  readonly #parts: EndpointParts
  #endpoint: Promise<McpEndpoint> | undefined
  readonly #connections = new Set<McpConnection>()

  constructor(parts: EndpointParts) {
    this.#parts = parts
  }

  open(): Promise<McpEndpoint> {
    this.#endpoint ??= import('./loaded.ts').then((door) => new door.McpEndpoint(this.#parts))
    return this.#endpoint
  }

  /** Serves one client over two streams. @param callerOf who asks, at the time of a call */
  async connect(streams: McpStreams, callerOf: () => McpCaller): Promise<McpConnection> {
    const { connectStdio } = await import('./loaded.ts')
    const { body: most } = callerOf().services.limits
    const connection = connectStdio(streams, { callerOf, most })
    this.#connections.add(connection)
    void connection.closed.then(() => this.#connections.delete(connection))
    return connection
  }

  /** Ends all sessions and connections, and cancels the calls in progress. */
  async close(): Promise<void> {
    await Promise.all([...this.#connections].map((connection) => connection.close()))
    await (await this.#endpoint)?.close()
  }
}
