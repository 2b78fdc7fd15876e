import { apart } from './apart.ts'
import { type Row, startServer } from './measure.ts'

/** Few chunks, so that the request itself is most of the cost. */
const CHUNKS = 20
/** A program that asks all day has its code compiled, which takes some thousand requests. */
const SCHEDULE = { warmUp: 6000, warmUpAgain: 300, repeats: 200, turns: 20 }

/** The CPU of a request whose answer is a short stream of chat completions. */
export async function short(): Promise<readonly Row[]> {
  const server = await startServer({ CHUNKS: String(CHUNKS) })
  const rows = await apart({ kind: 'stream', url: server.url }, 'cpu', SCHEDULE)
  server.close()
  return rows.map((row) => ({ group: `stream of ${CHUNKS} chunks, CPU`, ...row }))
}
