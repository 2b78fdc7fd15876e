import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** The number of concurrent connection attempts. More would exceed the server's listen queue. */
const TOGETHER = 250
/** File descriptors that a process needs besides its connections. */
const SPARE = 200

interface Limits {
  readonly userLimits: { readonly open_files: { readonly soft: number | 'unlimited' } }
}

/** The number of files that this process may open (`ulimit -n`). */
export function openFiles(): number {
  const { soft } = (process.report.getReport() as unknown as Limits).userLimits.open_files
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
}

/** The number of connections that this process can open. */
export function mostSockets(): number {
  return openFiles() - SPARE
}

/** Opens connections on which nothing is sent, and adds each to a list. */
export async function openIdleSockets(
  url: string,
  count: number,
  sockets: Socket[],
): Promise<void> {
  const port = Number(new URL(url).port)
  const opened = async (): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1' }).on('error', () => undefined)
    await once(socket, 'connect')
    return socket.resume()
  }
  const end = sockets.length + count
  while (sockets.length < end) {
    const length = Math.min(TOGETHER, end - sockets.length)
    sockets.push(...(await Promise.all(Array.from({ length }, opened))))
  }
}
