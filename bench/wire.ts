import { cpuOf, inTurns, type Row, startServer } from './measure.ts'
import { loadPeers } from './sides/load-peers.ts'
import { wireSides } from './sides/wire.ts'

const CHUNKS = 20_000

/**
 * CPU of an answer of 20,000 chunks of chat completions, from loopback to the bytes that a chat UI is sent,
 * a chunk: chain and loop alone, and as each protocol.
 */
export async function wire(): Promise<readonly Row[]> {
  const server = await startServer({ CHUNKS: String(CHUNKS) })
  const { uiSides } = await loadPeers()
  const sides = [...(await wireSides(server.url)), ...uiSides(server.url)]
  const rows = [...(await inTurns(sides, cpuOf))].map(
    ([what, value]): Row => ({ group: 'wire', what, value: value / CHUNKS, unit: 'µs per chunk' }),
  )
  server.close()
  return rows
}
