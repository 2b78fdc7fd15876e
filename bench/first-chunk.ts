import { inTurns, type Row, startServer, timeUntilShown } from './measure.ts'
import { loadPeers } from './sides/load-peers.ts'
import { bareFirst, ownSide } from './sides/own.ts'

/** The first events of a peer say that it began; the third has text, or is close to it. */
const FIRST = 3

/** Time on the clock from asking to the first chunk, warm, in chat completions. */
export async function firstChunk(): Promise<readonly Row[]> {
  const server = await startServer({ CHUNKS: '50' })
  const { peerSides } = await loadPeers()
  const sides = [
    bareFirst(server.url, 'chat'),
    await ownSide(server.url, 'chat', 3, { until: 'text' }),
    ...peerSides(server.url, 'chat', FIRST),
  ]
  const times = await inTurns(sides, timeUntilShown, 45)
  server.close()
  return [...times].map(([what, value]) => ({ group: 'first chunk', what, value, unit: 'ms' }))
}
