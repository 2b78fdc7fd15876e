import { FORMATS } from './bodies.ts'
import { cpuOf, inTurns, type Row, startServer } from './measure.ts'
import { loadPeers } from './sides/load-peers.ts'
import { bareSides, ownSide } from './sides/own.ts'

const CHUNKS = 20_000
const EXTENSIONS = [0, 1, 3, 10]

/** CPU of a stream of 20,000 chunks over loopback, a chunk, in each format. */
export async function stream(): Promise<readonly Row[]> {
  const server = await startServer({ CHUNKS: String(CHUNKS) })
  const { peerSides } = await loadPeers()
  const rows: Row[] = []
  for (const format of FORMATS) {
    const own = EXTENSIONS.map((count) => ownSide(server.url, format, count))
    const sides = [
      ...(await bareSides(server.url, format)),
      ...(await Promise.all(own)),
      await ownSide(server.url, format, 3, { idle: 100 }),
      ...peerSides(server.url, format),
    ]
    for (const [what, value] of await inTurns(sides, cpuOf)) {
      rows.push({ group: `stream, ${format}`, what, value: value / CHUNKS, unit: 'µs per chunk' })
    }
  }
  server.close()
  return [...rows, ...(await framed())]
}

/** The same where each event has a frame of its own: one read of the socket brings many small pieces. */
async function framed(): Promise<readonly Row[]> {
  const server = await startServer({ CHUNKS: String(CHUNKS), FRAMES: '1' })
  const { peerSides } = await loadPeers()
  const sides = [
    ...(await bareSides(server.url, 'chat')),
    await ownSide(server.url, 'chat', 3),
    ...peerSides(server.url, 'chat'),
  ]
  const times = await inTurns(sides, cpuOf)
  server.close()
  return [...times].map(([what, value]) => {
    const group = 'stream, chat, a frame an event'
    return { group, what, value: value / CHUNKS, unit: 'µs per chunk' }
  })
}
