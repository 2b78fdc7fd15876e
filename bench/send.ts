import { inTurns, type Row, repeated, startServer, timeOf } from './measure.ts'
import { loadPeers } from './sides/load-peers.ts'
import { bareSend, ownSend } from './sides/own.ts'

/** Short turns, and many: what disturbs the machine for a moment disturbs all sides alike. */
const REPEATS = 50
const TURNS = 80
/** A program that asks all day has its code compiled, which takes some thousand requests. */
const WARM_UP = 6000

/** Time on the clock of a whole answer, many one after the other. */
export async function send(): Promise<readonly Row[]> {
  const server = await startServer()
  const { sendSides } = await loadPeers()
  const sides = [bareSend(server.url), await ownSend(server.url), ...sendSides(server.url)]
  for (const side of sides) await repeated(side, WARM_UP).run()
  const times = await inTurns(
    sides.map((side) => repeated(side, REPEATS)),
    timeOf,
    TURNS,
  )
  server.close()
  return [...times].map(([what, value]) => {
    return { group: 'send', what, value: (value * 1000) / REPEATS, unit: 'µs' }
  })
}
