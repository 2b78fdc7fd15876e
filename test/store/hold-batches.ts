/** Stores lists of events of every length, and prints by how many mebibytes the process has grown then. */

import { openStorage } from '../../src/store/index.ts'
import { collect } from '../helpers/garbage.ts'
import { events } from './stored.ts'

const LENGTHS = Array.from({ length: 300 }, (_, at) => at + 1)
const TEXT = 'x'.repeat(500)

const [place = ''] = process.argv.slice(2)
const storage = await openStorage(place)
const settled = async (): Promise<number> => {
  for (let time = 0; time < 5; time++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    collect()
  }
  return process.memoryUsage().rss
}
const lease = { holder: 'h', expiresAt: Number.MAX_SAFE_INTEGER }
await storage.runs.start({ id: 'r', owner: 'ada', order: {} }, lease, { entries: [] }, 1)
let next = 0
const store = async (length: number): Promise<void> => {
  const told = events('r', next, length).map((event) => ({ ...event, delta: TEXT }))
  next += length
  const lost = await storage.runs.append('h', [{ runId: 'r', events: told }])
  if (lost.length > 0) throw new Error('The run was lost.')
}
for (let time = 0; time < 30; time++) await store(300)
const before = await settled()
for (const length of LENGTHS) await store(length)
process.stdout.write(`${Math.round(((await settled()) - before) / 2 ** 20)}\n`)
await storage.close()
