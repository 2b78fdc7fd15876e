import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A proxy to a server, which can go away and come back at the same address. */
export class BreakableProxy {
  #server: Server
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  #port = 0

  private constructor(target: string) {
    this.#target = new URL(target)
    this.#server = this.#made()
  }

  static async start(target: string): Promise<BreakableProxy> {
    const proxy = new BreakableProxy(target)
    await proxy.come()
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Ends all connections, and takes no more. */
  async go(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  /** Takes connections again. */
  async come(): Promise<void> {
    this.#server = this.#made()
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  #made(): Server {
    return createServer((near) => {
      const far = connect(Number(this.#target.port), this.#target.hostname)
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(socket)
        socket.pipe(other)
        socket.on('error', () => other.destroy())
        socket.on('close', () => {
          this.#sockets.delete(socket)
          other.destroy()
        })
      }
    })
  }
}
