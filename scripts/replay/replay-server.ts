import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A response of the server. */
export interface Reply {
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
  /** Sent one after the other, each in a separate write. */
  readonly pieces: readonly (string | Uint8Array)[]
  /** How the body ends: normally, with a lost connection, or never. */
  readonly ending?: 'end' | 'lost' | 'never'
  /** Milliseconds before each piece. */
  readonly delay?: number
  /** Milliseconds before the headers. */
  readonly headerDelay?: number
}

export interface SeenRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: { readonly [field: string]: unknown }
}

/** A model API on loopback that sends prepared responses. */
export class ReplayServer {
  readonly requests: SeenRequest[] = []
  /** Returns the response for a request. */
  reply: (request: SeenRequest) => Reply = () => ({ status: 404, pieces: ['{}'] })
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #answers = new EventEmitter()
  #open = 0

  constructor() {
    this.#server = createServer((request, response) => {
      const pieces: Uint8Array[] = []
      request.on('data', (piece: Uint8Array) => pieces.push(piece))
      request.on('end', () => {
        const text = Buffer.concat(pieces).toString()
        const body = text === '' ? {} : (JSON.parse(text) as SeenRequest['body'])
        const seen = { path: request.url ?? '', headers: request.headers, body }
        this.requests.push(seen)
        this.#open++
        response.once('close', () => {
          this.#open--
          this.#answers.emit('closed')
        })
        void send(response, this.reply(seen))
      })
    })
    // A busy process would close a socket for its idleness at the moment in which a client takes it for the next request.
    this.#server.keepAliveTimeout = 60_000
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  /** The number of unfinished answers with an open socket. Idle sockets that `fetch` opened in advance do not count. */
  get open(): number {
    return this.#open
  }

  /** Waits until no answer is unfinished. */
  async idle(): Promise<void> {
    while (this.#open > 0) await once(this.#answers, 'closed')
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  const { status = 200, headers = {}, pieces, ending = 'end', delay = 0, headerDelay = 0 } = reply
  if (headerDelay > 0) await wait(headerDelay, undefined, { ref: false })
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.flushHeaders()
  for (const piece of pieces) {
    if (delay > 0) await wait(delay)
    if (response.destroyed) return
    response.write(piece)
  }
  if (ending === 'end') response.end()
  if (ending === 'lost') {
    await wait(5)
    response.destroy()
  }
}
