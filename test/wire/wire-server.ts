import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as a client sent it. */
export interface WireSeen {
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

/** What is written, piece by piece. */
export interface WireReply {
  readonly status?: number
  readonly headers: { readonly [name: string]: string }
  readonly pieces: readonly string[]
}

/** A server on loopback that answers clients with what an encoder wrote. */
export class WireServer {
  readonly seen: WireSeen[] = []
  readonly #server: Server

  constructor(reply: (request: WireSeen) => WireReply) {
    this.#server = createServer((request, response) => {
      let text = ''
      request.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      request.on('end', () => {
        const url = new URL(request.url ?? '', 'http://127.0.0.1')
        const seen = {
          url,
          headers: request.headers,
          body: text === '' ? undefined : (JSON.parse(text) as unknown),
        }
        this.seen.push(seen)
        const { status = 200, headers, pieces } = reply(seen)
        response.writeHead(status, headers)
        for (const piece of pieces) response.write(piece)
        response.end()
      })
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
