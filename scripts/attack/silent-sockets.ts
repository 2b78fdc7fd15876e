import type { Socket } from 'node:net'
import { mostSockets, openFiles, openIdleSockets } from './harness/idle-sockets.ts'
import type { AttackQuestion } from './harness/question.ts'
import { comesToBe } from './harness/requests.ts'
import { type Outcome, Tally } from './harness/tally.ts'

const SOCKETS = 5000
/** Milliseconds within which the server must close the connections. */
const PATIENCE = 30_000

/** Opens connections and sends nothing. The server must close each of them. */
export async function staySilent({ url, scale }: AttackQuestion): Promise<Outcome> {
  const tally = new Tally()
  const wanted = Math.floor(SOCKETS * scale)
  const count = Math.min(wanted, mostSockets())
  if (count < wanted) tally.note(`${count} of ${wanted} sockets: ulimit -n is ${openFiles()}`)
  const sockets: Socket[] = []
  try {
    await openIdleSockets(url, count, sockets)
    await comesToBe(() => sockets.every(({ closed }) => closed), PATIENCE)
    for (const { closed } of sockets) tally.add(closed ? undefined : 'a socket is still open')
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  return tally.outcome
}
