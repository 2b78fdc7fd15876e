import { apart } from './apart.ts'
import { type Row, startServer } from './measure.ts'

/** Short turns, and many: what disturbs the machine for a moment disturbs all sides alike. */
const SCHEDULE = { warmUp: 6000, repeats: 100, turns: 40 }

/** Time on the clock of a whole answer, many one after the other. */
export async function send(): Promise<readonly Row[]> {
  const server = await startServer()
  const rows = await apart({ kind: 'send', url: server.url }, 'time', SCHEDULE)
  server.close()
  return rows.map((row) => ({ group: 'send', ...row }))
}
