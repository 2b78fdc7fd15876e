import scripted from '../../../providers/scripted/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { createHost, type Host, type HostOptions } from '../../../src/core/index.ts'
import type { Provider } from '../../../src/plugin/index.ts'
import {
  type BraidworkServer,
  createServer,
  type ServerOptions,
  tokenAuthenticator,
} from '../../../src/server/index.ts'
import calculator from '../../../tools/calculator/index.ts'
import clock from '../../../tools/clock/index.ts'
import { textEvents } from '../../helpers/hosts.ts'
import { SERVED } from '../clients/scripts.ts'

/** What a test asks of a server. */
export interface Asked {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
  /** Who asks; an admin by default. */
  readonly as?: keyof typeof TOKENS
  readonly signal?: AbortSignal
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, read as JSON. */
  readonly json: JsonAnswer
}

/** JSON of any shape, to look into. */
export interface JsonAnswer {
  readonly [key: string]: JsonAnswer | undefined
}

/** A message of a conversation, as far as tests look at it. */
export interface ShownMessage {
  readonly id: string
  readonly role: string
  readonly parts: readonly {
    readonly type: string
    readonly text?: string
    readonly state?: string
    readonly errorText?: string
  }[]
}

const TOKENS = { ada: 'ada-0123456789abcdef', bob: 'bob-0123456789abcdef' }

/** A server without a socket, asked as its clients do. */
export class Served {
  readonly host: Host
  readonly #server: BraidworkServer

  private constructor(host: Host, server: BraidworkServer) {
    this.host = host
    this.#server = server
  }

  /**
   * With the models of the tests of clients; ada is an admin, bob is not.
   * @param ofHost options that need the host
   */
  static async start(
    options: Omit<Partial<ServerOptions>, 'host'> = {},
    own: Partial<HostOptions> = {},
    ofHost: (host: Host) => Promise<Partial<ServerOptions>> = async () => ({}),
  ): Promise<Served> {
    const { server, plugins: _, ...config } = SERVED
    const host = await createHost({
      plugins: [scripted, calculator, clock],
      config,
      ...own,
    })
    const authenticate = tokenAuthenticator([
      { token: TOKENS.ada, id: 'ada', role: 'admin' },
      { token: TOKENS.bob, id: 'bob' },
    ])
    const { models } = server
    const storage = memoryStorage()
    const all = { host, storage, models, authenticate, ...options, ...(await ofHost(host)) }
    return new Served(host, await createServer(all))
  }

  get activeRuns(): number {
    return this.#server.activeRuns
  }

  /** The response itself, its body not yet read. */
  fetch(path: string, asked: Asked = {}): Promise<Response> {
    const { method, body, headers = {}, as = 'ada', signal } = asked
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const request = new Request(`http://localhost${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { authorization: `Bearer ${TOKENS[as]}`, ...headers },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
    return this.#server.fetch(request)
  }

  /** Sends a body as it comes. */
  stream(
    path: string,
    body: Uint8Array | ReadableStream,
    as: keyof typeof TOKENS,
  ): Promise<Response> {
    const headers = { authorization: `Bearer ${TOKENS[as]}`, 'content-type': 'a/b' }
    const init = { method: 'POST', headers, body, duplex: 'half' as const }
    return this.#server.fetch(new Request(`http://localhost${path}`, init))
  }

  async ask(path: string, asked: Asked = {}): Promise<Answered> {
    const response = await this.fetch(path, asked)
    const text = await response.text()
    const { status, headers } = response
    const isJson = headers.get('content-type')?.startsWith('application/json')
    return { status, headers, text, json: isJson ? (JSON.parse(text) as JsonAnswer) : {} }
  }

  /** A conversation's messages, as a page of the AI SDK 6 is told. */
  async history(id: string): Promise<readonly ShownMessage[]> {
    const { text } = await this.ask(`/api/conversations/${id}?sdk=6`)
    return (JSON.parse(text) as { readonly messages: readonly ShownMessage[] }).messages
  }

  async close(): Promise<void> {
    await this.#server.close()
    await this.host.close()
  }
}

/** A server whose model `cut` loses its connection behind the first text. */
export function servedCut(): Promise<Served> {
  const cut: Provider = {
    kind: 'provider',
    name: 'cut',
    stream: async function* () {
      yield* textEvents('one ').slice(0, 2)
      throw new Error('The connection was lost.')
    },
  }
  return Served.start(
    { models: { cut: { config: { provider: 'cut' } } } },
    { plugins: [cut], config: {} },
  )
}

/** A request of a chat page. */
export function chatBody(id: string, messages: readonly object[], more: object = {}): object {
  return { id, messages, agent: 'quick', ...more }
}

export function user(id: string, text: string): object {
  return { id, role: 'user', parts: [{ type: 'text', text }] }
}
