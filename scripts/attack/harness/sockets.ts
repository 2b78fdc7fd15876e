import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Opens a connection for writing arbitrary bytes. */
export async function connected(url: string, options = {}): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', ...options })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** The text of a request's head. */
export function head(line: string, headers: { readonly [name: string]: string | number }): string {
  const all = Object.entries({ Host: '127.0.0.1', ...headers })
  const lines = all.map(([name, value]) => `${name}: ${value}`)
  return `${[`${line} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`
}

/** Reads from a connection until it closes or the time is up. */
export async function said(
  socket: Socket,
  patience: number,
): Promise<{ readonly text: string; readonly isClosed: boolean }> {
  let text = ''
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)))
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patience)
  })
  const isClosed = socket.closed || (await Promise.race([closed, late]))
  clearTimeout(timer)
  socket.destroy()
  return { text, isClosed }
}
