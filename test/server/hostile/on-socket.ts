import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import scripted from '../../../providers/scripted/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { createHost } from '../../../src/core/index.ts'
import type { Log } from '../../../src/plugin/context.ts'
import {
  type BraidworkServer,
  createServer,
  type ListenOptions,
  listen,
  type ServerOptions,
  tokenAuthenticator,
} from '../../../src/server/index.ts'
import calculator from '../../../tools/calculator/index.ts'
import clock from '../../../tools/clock/index.ts'
import { SERVED } from '../clients/scripts.ts'

export const ADA = 'ada-0123456789abcdef'
export const BOB = 'bob-0123456789abcdef'

const TOKENS = [
  { token: ADA, id: 'ada', role: 'admin' },
  { token: BOB, id: 'bob' },
] as const

type AskOptions = Omit<RequestInit, 'headers'> & {
  readonly headers?: { readonly [name: string]: string }
}

export interface Spoken {
  readonly status: number
  /** Headers and body as they came. */
  readonly text: string
}

type Line = Parameters<Log>[0]

/** A server on a socket of loopback, with the models of the tests of clients; ada is an admin, bob is not. */
export interface OnSocket {
  readonly url: string
  readonly port: number
  readonly server: BraidworkServer
  /** What it logged. */
  readonly lines: readonly Line[]
  /** As ada, unless a token is given; JSON where the body is no text. */
  ask(path: string, body?: unknown, init?: AskOptions): Promise<Response>
  /** A connection on which anything may be written. */
  connect(options?: { readonly allowHalfOpen?: boolean }): Promise<Socket>
  close(): Promise<void>
}

export async function onSocket(
  options: Omit<Partial<ServerOptions>, 'host'> = {},
  listening: Partial<ListenOptions> = {},
): Promise<OnSocket> {
  const { server: served, plugins: _, ...config } = SERVED
  const host = await createHost({ plugins: [scripted, calculator, clock], config })
  const lines: Line[] = []
  const server = await createServer({
    host,
    storage: memoryStorage(),
    models: served.models,
    ...(options.anonymous ? {} : { authenticate: tokenAuthenticator(TOKENS) }),
    log: (line) => void lines.push(line),
    ...options,
  })
  const { url, close } = await listen(server, { port: 0, ...listening })
  const port = Number(new URL(url).port)
  return {
    url,
    port,
    server,
    lines,
    ask: (path, body, init = {}) =>
      fetch(`${url}${path}`, {
        ...(body === undefined
          ? {}
          : { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
        ...init,
        headers: { authorization: `Bearer ${ADA}`, ...init.headers },
      }),
    connect: async (given = {}) => {
      const socket = connect({ port, host: '127.0.0.1', ...given })
      await once(socket, 'connect')
      return socket
    },
    close: async () => {
      await close()
      await host.close()
    },
  }
}

/** What a server says on a connection until it closes it. */
export async function said(socket: Socket): Promise<Spoken> {
  let text = ''
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  // A connection that is reset has said what it said.
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve()).once('error', () => resolve())
  })
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text }
}

/** The head of a request, its lines in order. */
export function head(line: string, headers: { readonly [name: string]: string | number }): string {
  const all = { Host: '127.0.0.1', Authorization: `Bearer ${ADA}`, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${[`${line} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`
}
