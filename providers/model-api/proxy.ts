import type { IncomingMessage, RequestOptions } from 'node:http'
import type { Socket } from 'node:net'

export type Fetch = typeof globalThis.fetch

/** A `fetch` that reaches every server through an HTTP proxy, by CONNECT. */
export function fetchThrough(proxy: string): Fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const { Readable } = await import('node:stream')
    const answer = await send(request, await openTunnel(new URL(proxy), request))
    const hasBody = answer.statusCode !== 204 && answer.statusCode !== 304
    const body = Readable.toWeb(answer) as ReadableStream<Uint8Array>
    return new Response(hasBody ? body : null, {
      status: answer.statusCode ?? 502,
      headers: headersOf(answer),
    })
  }
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

/** A connection to the request's server, through the proxy. */
async function openTunnel(proxy: URL, { url, signal }: Request): Promise<Socket> {
  const { request } = await (proxy.protocol === 'https:'
    ? import('node:https')
    : import('node:http'))
  const target = new URL(url)
  const host = `${target.hostname}:${portOf(target)}`
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  const headers = {
    host,
    ...(proxy.username
      ? { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }
      : {}),
  }
  const options = {
    host: proxy.hostname,
    port: portOf(proxy),
    method: 'CONNECT',
    path: host,
    headers,
    signal,
  }
  return new Promise((resolve, reject) => {
    const asked = request(options)
    asked.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) resolve(socket)
      else reject(new Error(`the proxy answered CONNECT with status ${statusCode}`))
    })
    asked.once('error', (cause) => {
      reject(new Error(`the proxy ${proxy.host} could not be reached`, { cause }))
    })
    asked.end()
  })
}

/** Sends a request over a tunnel of its own, which ends with it. */
async function send(asked: Request, tunnel: Socket): Promise<IncomingMessage> {
  const url = new URL(asked.url)
  const isSecure = url.protocol === 'https:'
  const { request } = await (isSecure ? import('node:https') : import('node:http'))
  const { connect } = await import('node:tls')
  const body = Buffer.from(await asked.arrayBuffer())
  const options: RequestOptions = {
    method: asked.method,
    path: `${url.pathname}${url.search}`,
    headers: {
      ...Object.fromEntries(asked.headers),
      host: url.host,
      'content-length': body.length,
    },
    signal: asked.signal,
    createConnection: () =>
      isSecure ? connect({ socket: tunnel, servername: url.hostname }) : tunnel,
  }
  return new Promise((resolve, reject) => {
    const sent = request(options, resolve)
    sent.once('error', reject)
    sent.end(body)
  })
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string)
  }
  return headers
}
