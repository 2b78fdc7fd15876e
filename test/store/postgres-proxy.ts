import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** `ReadyForQuery` of an idle session: where a server has done what it was asked. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

/** Stands before a PostgreSQL, and can break connections at the worst moment. */
export class PostgresProxy {
  /** Whether a connection is shut down in the same piece of bytes in which it is said to be ready. */
  breaking = false
  /** Whether nothing that either side sends arrives, although the connections stay open. */
  silent = false
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(upstream: URL) {
    this.#server = createServer((client) => this.#pass(client, upstream))
  }

  /** @param upstream the address of a database */
  static async start(upstream: string): Promise<PostgresProxy> {
    const proxy = new PostgresProxy(new URL(upstream))
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  /** The address of the same database, behind this. */
  addressOf(upstream: string): string {
    const address = new URL(upstream)
    address.port = String((this.#server.address() as AddressInfo).port)
    return address.href
  }

  get connections(): number {
    return this.#sockets.size / 2
  }

  /** Breaks all connections that there are. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    this.drop()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #pass(client: Socket, { hostname, port }: URL): void {
    const server = connect(Number(port), hostname)
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      // What happens to one side, happens to the other.
      socket.on('error', () => undefined)
      socket.on('close', () => {
        this.#sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    client.on('data', (data) => {
      if (!this.silent) server.write(data)
    })
    server.on('data', (data) => {
      if (this.silent) return
      if (this.breaking && data.subarray(-READY.length).equals(READY)) {
        client.end(Buffer.concat([data, shutdown()]))
      } else client.write(data)
    })
  }
}

/** `ErrorResponse` of a server that an administrator shuts down. */
function shutdown(): Buffer {
  const fields = Buffer.from(
    'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0',
  )
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
