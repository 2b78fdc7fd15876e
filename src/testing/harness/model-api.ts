import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ConfigLayer } from '@braidwork/core'
import { isObject } from '@braidwork/plugin'

/** A recorded exchange with a model API, which a server on loopback repeats. */
export interface RecordedApi {
  /** The config with which the provider sends its requests to this address, such as `http://127.0.0.1:4711`. */
  readonly config: (url: string) => ConfigLayer
  /** The body of a whole answer: a text, or a value that is sent as JSON. By default, `streamed` answers all requests. */
  readonly whole?: unknown
  /**
   * The body of the same answer as a stream, as a text or in pieces that are sent one by one. By default, `whole` answers
   * all requests.
   */
  readonly streamed?: string | readonly string[]
  /** Headers of each answer, in addition to its content type. */
  readonly headers?: { readonly [name: string]: string }
  /** Whether a request asks for a stream. The default is that its body has `"stream": true`. */
  readonly isStream?: (body: unknown, path: string) => boolean
}

/** What the server does with the next requests: a fault, or the recorded answer in pieces of some bytes. */
export interface Mood {
  /** Answers with this HTTP status and an error as most APIs send it. */
  readonly status?: number
  /** Sends this body instead of the recorded one. */
  readonly body?: string
  /** Ends the connection after this share of the body. */
  readonly cutAt?: number
  /** Ends the answer after this share of the body, as if it were whole. */
  readonly endAt?: number
  /** Sends pieces of this many bytes. */
  readonly pieces?: number
  /** Stops sending after this share of the body, and leaves the connection open. */
  readonly stallAt?: number
}

/** A server on loopback in place of a model API. */
export class ApiServer {
  readonly url: string
  /** The bodies of all requests, in order. */
  readonly bodies: string[] = []
  /** How many requests were not answered to their end. */
  open = 0
  mood: Mood = {}
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async start(api: RecordedApi): Promise<ApiServer> {
    let own: ApiServer | undefined
    const server = createServer((request, response) => {
      if (own) answer(own, api, request, response).catch(() => response.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    own = new ApiServer(server)
    return own
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }
}

async function answer(
  server: ApiServer,
  api: RecordedApi,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  server.open++
  response.once('close', () => server.open--)
  const text = await textOf(request)
  server.bodies.push(text)
  const { mood } = server
  if (mood.status !== undefined) return refuse(response, mood.status)
  const isStream = asksForStream(api, text, request.url ?? '')
  const streamed = isStream ? api.streamed : undefined
  const type = streamed === undefined ? 'application/json' : 'text/event-stream'
  response.writeHead(200, { ...api.headers, 'content-type': type })
  if (typeof streamed === 'object' && Object.keys(mood).length === 0) {
    await sendPieces(
      response,
      streamed.map((piece) => Buffer.from(piece)),
    )
    response.end()
    return
  }
  const body = mood.body ?? (streamed === undefined ? bodyOf(api.whole) : textIn(streamed))
  await sendBody(response, Buffer.from(body), mood)
}

function refuse(response: ServerResponse, status: number): void {
  // SDKs of vendors repeat such requests otherwise.
  response.writeHead(status, { 'content-type': 'application/json', 'x-should-retry': 'false' })
  response.end(JSON.stringify({ error: { type: 'planted', message: `planted status ${status}` } }))
}

async function sendBody(response: ServerResponse, body: Buffer, mood: Mood): Promise<void> {
  const share = mood.cutAt ?? mood.stallAt ?? mood.endAt
  const sent = share === undefined ? body : body.subarray(0, Math.floor(body.length * share))
  const size = mood.pieces ?? sent.length
  const pieces: Buffer[] = []
  for (let at = 0; at < sent.length; at += size) pieces.push(sent.subarray(at, at + size))
  await sendPieces(response, pieces)
  if (mood.stallAt !== undefined) return
  if (mood.cutAt === undefined) response.end()
  else response.destroy()
}

async function sendPieces(response: ServerResponse, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) {
    response.write(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function asksForStream(api: RecordedApi, text: string, path: string): boolean {
  if (api.whole === undefined) return true
  const body = parsed(text)
  return api.isStream ? api.isStream(body, path) : isObject(body) && body['stream'] === true
}

function textIn(streamed: string | readonly string[]): string {
  return typeof streamed === 'string' ? streamed : streamed.join('')
}

function bodyOf(answer: unknown): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}
