import { expect } from 'chai'
import { MOST_GROWTH } from '../helpers/doubling.ts'
import { begin, postgres } from './backends.ts'
import { describeGrowth } from './growth/describe-growth.ts'
import { createTalk, entries, Filled } from './growth/filled.ts'
import { OWNER } from './stored.ts'

describeGrowth(postgres())

describe('PostgreSQL itself', function () {
  this.timeout(180_000)
  const backend = postgres()
  const filled = new Filled(backend)
  before(async function () {
    await begin(backend, this)
  })
  after(() => backend.end())
  afterEach(() => filled.close())

  it('takes time that grows as a conversation does, of which its statistics know nothing', async () => {
    const sizes = [2500, 5000, 10_000, 20_000]
    const storage = await filled.open()
    const times = sizes.map(() => Number.POSITIVE_INFINITY)
    const growth = () => times.slice(1).map((time, at) => time / (times[at] ?? 0))
    for (let round = 0; round < 8; round++) {
      for (const [at, size] of sizes.entries()) {
        const began = performance.now()
        const id = filled.name()
        await createTalk(storage, id)
        await storage.conversations.append(OWNER, id, { entries: entries(size) }, 2)
        expect(await storage.conversations.history(OWNER, id)).to.have.length(size)
        await storage.conversations.delete(OWNER, id)
        times[at] = Math.min(times[at] ?? 0, performance.now() - began)
      }
      if (round >= 1 && growth().every((ratio) => ratio <= MOST_GROWTH)) break
    }
    const told = sizes.map((size, at) => `${size}: ${times[at]?.toFixed(0)} ms`).join(', ')
    process.stdout.write(`      PostgreSQL, from request to answer: ${told}\n`)
    for (const ratio of growth()) expect(ratio, told).to.be.at.most(MOST_GROWTH)
  })
})
