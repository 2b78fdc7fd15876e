import { apart } from './apart.ts'
import { FORMATS, type Format } from './bodies.ts'
import { type Row, startServer } from './measure.ts'

const CHUNKS = 20_000
/**
 * A few streams, until V8 has compiled and optimised the code that each chunk runs: for the fast sides, that is after
 * about 30 streams. Several streams in a row are one sample: a process that waited has cold caches.
 */
const SCHEDULE = {
  warmUp: 8,
  warmUpTime: 3000,
  warmUpAgain: 250,
  repeats: 3,
  turns: 5,
  processes: 3,
}

/** CPU of a stream of 20,000 chunks over loopback, a chunk, in each format. */
export async function stream(): Promise<readonly Row[]> {
  const server = await startServer({ CHUNKS: String(CHUNKS) })
  const rows: Row[] = []
  for (const format of FORMATS) {
    const times = await streamed('stream of many sides', server.url, format)
    rows.push(...times.map((row) => ({ group: `stream, ${format}`, ...row })))
  }
  server.close()
  return [...rows, ...(await framed())]
}

/** The same where each event has a frame of its own: one read of the socket brings many small pieces. */
async function framed(): Promise<readonly Row[]> {
  const server = await startServer({ CHUNKS: String(CHUNKS), FRAMES: '1' })
  const times = await streamed('stream', server.url, 'chat')
  server.close()
  return times.map((row) => ({ group: 'stream, chat, a frame an event', ...row }))
}

async function streamed(kind: 'stream' | 'stream of many sides', url: string, format: Format) {
  const times = await apart({ kind, url, format }, 'cpu', SCHEDULE)
  return times.map((row) => ({ ...row, value: row.value / CHUNKS, unit: 'µs per chunk' as const }))
}
