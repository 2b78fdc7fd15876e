import { inTurns, type Row, type Side, startServer, timeOf } from './measure.ts'
import { loadPeers } from './sides/load-peers.ts'
import { bareSend, ownSend } from './sides/own.ts'

/** Many: a program that asks all day has its code compiled, which takes some thousand requests. */
const REPEATS = 400

/** Time on the clock of a whole answer, many one after the other. */
export async function send(): Promise<readonly Row[]> {
  const server = await startServer()
  const { sendSides } = await loadPeers()
  const sides = [bareSend(server.url), await ownSend(server.url), ...sendSides(server.url)]
  const times = await inTurns(sides.map(repeated), timeOf)
  server.close()
  return [...times].map(([what, value]) => {
    return { group: 'send', what, value: (value * 1000) / REPEATS, unit: 'µs' }
  })
}

function repeated({ what, run }: Side): Side {
  return {
    what,
    run: async () => {
      for (let repeat = 0; repeat < REPEATS; repeat++) await run()
    },
  }
}
