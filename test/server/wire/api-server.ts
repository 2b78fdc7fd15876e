import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WireAnswer } from '../../../src/server/wire/protocol.ts'

const EVENT_STREAM = { 'content-type': 'text/event-stream' }

/** What came in. */
export interface ApiCall {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** A stream with the headers of its protocol. */
export interface Streamed {
  readonly headers: { readonly [name: string]: string }
  readonly pieces: Iterable<string>
}

/** Frames of a stream, as they come, or a whole answer. */
export type Served = WireAnswer | Streamed | AsyncIterable<string> | Iterable<string>

/** A server on loopback that lets the clients of a protocol in, and hands on what an encoder writes. */
export class ApiServer {
  readonly calls: ApiCall[] = []
  serve: (call: ApiCall) => Served | Promise<Served>
  readonly #server: Server

  constructor(serve: ApiServer['serve'] = () => []) {
    this.serve = serve
    this.#server = createServer((request, response) => {
      const pieces: Uint8Array[] = []
      request.on('data', (piece: Uint8Array) => pieces.push(piece))
      request.on('end', () => {
        const text = Buffer.concat(pieces).toString()
        const { method = '', url: path = '', headers } = request
        const body: unknown = text === '' ? undefined : JSON.parse(text)
        const call = { method, path, headers, body }
        this.calls.push(call)
        // A fault of the test ends the connection: its client says the rest.
        this.#answer(call, response).catch((fault: Error) => response.destroy(fault))
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

  async #answer(call: ApiCall, response: ServerResponse): Promise<void> {
    const served = await this.serve(call)
    if ('status' in served) {
      const headers = { 'content-type': 'application/json', ...served.headers }
      response.writeHead(served.status, headers)
      response.end(JSON.stringify(served.body))
      return
    }
    const { headers, pieces } =
      'pieces' in served ? served : { headers: EVENT_STREAM, pieces: served }
    response.writeHead(200, headers)
    for await (const frame of pieces) if (frame !== '') response.write(frame)
    response.end()
  }
}
