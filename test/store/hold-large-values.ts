/** Stores large values by each kind of statement, and prints by how many mebibytes the process has grown then. */

import { openStorage } from '../../src/store/index.ts'
import { collect } from '../helpers/garbage.ts'

/** More than what an allocator keeps for itself. */
const SIZE = 40 << 20
const TIMES = 2

const [place = ''] = process.argv.slice(2)
const storage = await openStorage(place)
const settled = async (): Promise<number> => {
  for (let time = 0; time < 5; time++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    collect()
  }
  return process.memoryUsage().rss
}
const storeAll = async (size: number): Promise<void> => {
  const text = 'x'.repeat(size)
  const common = { owner: 'ada', name: 'n', updatedAt: 1 }
  await storage.settings.save('ada', { text }, 1)
  await storage.agents.upsert({ ...common, id: '1', spec: { text } })
  await storage.documents.save({ ...common, kind: 'skill', content: text })
  await storage.storageOf('memory').set('k', text)
}
await storeAll(100)
const before = await settled()
for (let time = 0; time < TIMES; time++) await storeAll(SIZE)
process.stdout.write(`${Math.round(((await settled()) - before) / 2 ** 20)}\n`)
await storage.close()
