import { request } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Socket } from 'node:net'

/** A connection to a server through an HTTP proxy, by CONNECT. */
export async function openTunnel(
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
      if (statusCode === 200) resolve(socket)
      else reject(new Error(`the proxy answered CONNECT with status ${statusCode}`))
    })
    asked.once('error', (cause) => {
      reject(new Error(`the proxy ${proxy.host} could not be reached`, { cause }))
    })
    asked.end()
  })
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}
