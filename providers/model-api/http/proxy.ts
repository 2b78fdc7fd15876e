import { request } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Socket } from 'node:net'
import { connect } from 'node:tls'
import type { Answer } from '../body/response.ts'
import { ProxyFault } from '../errors.ts'
import type { Asked } from './dispatch.ts'
import { sendOverHttp } from './node-http.ts'

/** Sends a request through an HTTP proxy, over a separate connection that is closed afterwards. */
export async function sendThrough(proxy: URL, asked: Asked): Promise<Answer> {
  const { url, signal } = asked
  const tunnel = await openTunnel(proxy, url, signal)
  const isSecure = url.protocol === 'https:'
  const createConnection = () =>
    isSecure ? connect({ socket: tunnel, servername: url.hostname }) : tunnel
  return sendOverHttp(asked, { createConnection })
}

/** Opens a connection to a server through a proxy, with CONNECT. */
async function openTunnel(
  proxy: URL,
  target: URL,
  signal: AbortSignal | undefined,
): Promise<Socket> {
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
    ...(signal ? { signal } : {}),
  }
  return new Promise((resolve, reject) => {
    const asked = proxy.protocol === 'https:' ? secureRequest(options) : request(options)
    asked.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200 && !signal?.aborted) resolve(socket)
      else {
        socket.destroy()
        reject(
          signal?.reason ??
            new ProxyFault(`the proxy answered CONNECT with status ${statusCode}`, {
              status: statusCode,
            }),
        )
      }
    })
    asked.once('error', (cause) => {
      // A limit that ends the request while the proxy does not answer says so itself.
      if (signal?.aborted) reject(signal.reason)
      else reject(new ProxyFault(`the proxy ${proxy.host} could not be reached`, { cause }))
    })
    asked.end()
  })
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}
