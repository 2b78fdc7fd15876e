import { cpuOf, inTurns, type Row, repeated, startServer } from './measure.ts'
import { loadPeers } from './sides/load-peers.ts'
import { bareSides, ownSide } from './sides/own.ts'

/** Few chunks, so that the request itself is most of the cost. */
const CHUNKS = 20
const REPEATS = 50
const TURNS = 20
/** A program that asks all day has its code compiled, which takes some thousand requests. */
const WARM_UP = 3000

/** The CPU of a request whose answer is a short stream of chat completions. */
export async function short(): Promise<readonly Row[]> {
  const server = await startServer({ CHUNKS: String(CHUNKS) })
  const { peerSides } = await loadPeers()
  const [, parsing] = await bareSides(server.url, 'chat')
  const sides = [
    ...(parsing ? [parsing] : []),
    await ownSide(server.url, 'chat', 3),
    ...peerSides(server.url, 'chat'),
  ]
  for (const side of sides) await repeated(side, WARM_UP).run()
  const all = sides.map((side) => repeated(side, REPEATS))
  const times = await inTurns(all, cpuOf, TURNS)
  server.close()
  return [...times].map(([what, value]) => {
    return { group: `stream of ${CHUNKS} chunks, CPU`, what, value: value / REPEATS, unit: 'µs' }
  })
}
