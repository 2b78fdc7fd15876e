import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { McpCaller } from './caller.ts'
import { protocolServer } from './protocol-server.ts'

/** The two sides of a connection, such as standard input and output. */
export interface McpStreams {
  readonly input: Readable
  readonly output: Writable
}

/** A client of MCP that is connected by two streams. */
export interface McpConnection {
  /** Resolves when the client has closed its side, or has sent a message that is too large. */
  readonly closed: Promise<void>
  /** Ends the connection. Calls in progress are cancelled. */
  close(): Promise<void>
}

interface StdioOptions {
  /** Who asks, at the time of a call. */
  readonly callerOf: () => McpCaller
  /** The largest message in bytes. */
  readonly most: number
}

/** Serves one client over two streams, in whatever revision it speaks. */
export function connectStdio(
  { input, output }: McpStreams,
  { callerOf, most }: StdioOptions,
): McpConnection {
  let tellClosed: () => void = () => undefined
  const closed = new Promise<void>((resolve) => {
    tellClosed = resolve
  })
  const transport = new EndingTransport(input, output, most)
  transport.onEnd = tellClosed
  const asking = { callerOf, beginCall: () => () => undefined }
  const handle = serveStdio(() => protocolServer(asking), { transport })
  return { closed, close: () => handle.close() }
}

/** Tells its end, whoever listens to the transport itself. */
class EndingTransport extends StdioServerTransport {
  onEnd: () => void = () => undefined

  constructor(input: Readable, output: Writable, maxBufferSize: number) {
    super(input, output, { maxBufferSize })
  }

  override async close(): Promise<void> {
    await super.close()
    this.onEnd()
  }
}
