import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { AttackQuestion } from './harness/question.ts'
import { comesToBe } from './harness/requests.ts'
import { type Outcome, Tally } from './harness/tally.ts'

const SOCKETS = 5000
/** The number of concurrent connection attempts. More would exceed the server's listen queue. */
const TOGETHER = 250
/** File descriptors that a process needs besides its connections. */
const SPARE = 200
/** Milliseconds within which the server must close the connections. */
const PATIENCE = 30_000

interface Limits {
  readonly userLimits: { readonly open_files: { readonly soft: number | 'unlimited' } }
}

function openFiles(): number {
  const { soft } = (process.report.getReport() as unknown as Limits).userLimits.open_files
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
}

/** Opens connections and sends nothing. The server must close each of them. */
export async function staySilent({ url, scale }: AttackQuestion): Promise<Outcome> {
  const tally = new Tally()
  const wanted = Math.floor(SOCKETS * scale)
  const count = Math.min(wanted, openFiles() - SPARE)
  if (count < wanted) tally.note(`${count} of ${wanted} sockets: ulimit -n is ${openFiles()}`)
  const sockets: Socket[] = []
  const port = Number(new URL(url).port)
  const opened = async (): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1' }).on('error', () => undefined)
    await once(socket, 'connect')
    return socket.resume()
  }
  try {
    while (sockets.length < count) {
      const length = Math.min(TOGETHER, count - sockets.length)
      sockets.push(...(await Promise.all(Array.from({ length }, opened))))
    }
    await comesToBe(() => sockets.every(({ closed }) => closed), PATIENCE)
    for (const { closed } of sockets) tally.add(closed ? undefined : 'a socket is still open')
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  return tally.outcome
}
