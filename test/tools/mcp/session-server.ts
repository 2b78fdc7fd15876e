import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Asked {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly name?: string; readonly uri?: string }
}

const CAPABILITIES = { tools: {}, resources: {} }
/** What it answers to a call with a status of HTTP. */
const STATUSES: { readonly [tool: string]: number } = {
  login: 401,
  limit: 429,
  busy: 503,
  fails: 500,
}
const NAMES = [
  'count',
  'breaks',
  'ends',
  'large',
  'body',
  'hangs',
  'dies',
  ...Object.keys(STATUSES),
]

/** A server over streamable HTTP of 2025 that keeps sessions, and forgets them when it is told to. */
export class SessionServer implements AsyncDisposable {
  /** The calls that ran. */
  readonly ran: string[] = []
  /** The methods of all messages, and `DELETE` for each session that was ended, in order. */
  readonly asked: string[] = []
  /** Whether it does not answer when a session is ended. */
  isDeaf = false
  /** How many sessions were begun. */
  begun = 0
  /** The status and message for a session that is not known. */
  unknown: readonly [status: number, message: string, id?: number] = [404, 'Session not found']
  readonly #server: Server
  #sessions = new Set<string>()
  #onHang: () => void = () => undefined

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  async url(): Promise<string> {
    if (!this.#server.listening) await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`
  }

  forget(): void {
    this.#sessions = new Set()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  /** Resolves when a call hangs. */
  hanging(): Promise<void> {
    return new Promise((resolve) => {
      this.#onHang = resolve
    })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'DELETE') return this.#end(request, response)
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const asked = JSON.parse(Buffer.concat(pieces).toString()) as Asked
    this.asked.push(asked.method)
    if (asked.method === 'initialize') return this.#begin(asked, response)
    if (!this.#sessions.has(String(request.headers['mcp-session-id']))) {
      const [status, message, id = null] = this.unknown
      return json(response, { id, error: { code: -32000, message } }, status)
    }
    if (asked.id === undefined) return void response.writeHead(202).end()
    this.#result(asked, response)
  }

  #begin({ id }: Asked, response: ServerResponse): void {
    const session = `session-${++this.begun}`
    this.#sessions.add(session)
    response.setHeader('mcp-session-id', session)
    const serverInfo = { name: 'sessions', version: '1' }
    const result = { protocolVersion: '2025-06-18', capabilities: CAPABILITIES, serverInfo }
    json(response, { id, result })
  }

  #end({ headers }: IncomingMessage, response: ServerResponse): void {
    this.asked.push('DELETE')
    this.#sessions.delete(String(headers['mcp-session-id']))
    if (!this.isDeaf) response.writeHead(200).end()
  }

  #result({ id, method, params: { name = '', uri = '' } = {} }: Asked, response: ServerResponse) {
    const tools = NAMES.map((one) => ({ name: one, inputSchema: { type: 'object' } }))
    if (method === 'tools/list') return json(response, { id, result: { tools } })
    if (method === 'resources/read')
      return json(response, { id, result: { contents: [{ uri, text: 'read' }] } })
    this.ran.push(name)
    if (name === 'dies') return response.destroy()
    const status = STATUSES[name]
    if (status) return response.writeHead(status).end('why not')
    const result = { content: [{ type: 'text', text: `${name} ${this.ran.length}` }] }
    if (name === 'count') return json(response, { id, result })
    if (name === 'body') return json(response, { id, result, padding: 'x'.repeat(200_000) })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (name === 'large') return response.end(`data: ${'x'.repeat(200_000)}\n\n`)
    response.write(': it works\n\n', () => {
      if (name === 'hangs') this.#onHang()
      else if (name === 'breaks') response.destroy()
      else response.end()
    })
  }
}

function json(response: ServerResponse, message: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', ...message }))
}
