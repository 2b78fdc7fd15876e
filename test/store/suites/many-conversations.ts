import { expect } from 'chai'
import type { Storage, StoredRecord } from '../../../src/agent/storage/index.ts'
import { wordsIn } from '../../../src/agent/storage/index.ts'
import { searched } from '../../../src/server/conversations/search.ts'
import { openStorage } from '../../../src/store/index.ts'
import { type Backend, begin } from '../backends.ts'
import { entry, OWNER } from '../stored.ts'

const COUNT = 5000
/** Milliseconds for one search of all of them, the best of three, on a busy machine. */
const LONGEST = 5000
const TEXT = 'what a person says to a model, and what it answers '.repeat(10)

function* records(): Generator<StoredRecord> {
  for (let at = 0; at < COUNT; at++) {
    const [id, last] = [`c${at}`, `e${at}-1`]
    const about = { id, owner: OWNER, agent: 'a', sender: 's', metadata: {}, head: last }
    yield { type: 'conversation', conversation: { ...about, createdAt: 1, updatedAt: at } }
    const texts = [TEXT, at === 0 ? `${TEXT} Nadelöhr` : TEXT]
    for (const [seq, text] of texts.entries()) {
      const parent = seq === 0 ? {} : { parent: `e${at}-0` }
      const made = { ...entry(`e${at}-${seq}`, text), ...parent, seq, createdAt: 1 }
      yield { type: 'entry', owner: OWNER, conversationId: id, entry: made }
    }
  }
}

/** Searches in many conversations. */
export function manyConversationsSuite(backend: Backend): void {
  describe(`a search of ${COUNT} conversations in ${backend.name}`, function () {
    this.timeout(180_000)
    let storage: Storage | undefined

    before(async function () {
      await begin(backend, this)
      storage = await openStorage(backend.place())
      await storage.importRecords(records())
    })
    after(async () => {
      await storage?.close()
      await backend.end()
    })

    for (const [search, count] of [
      ['NADELÖHR', 1],
      ['nobody said this', 0],
      [`%' OR "a"*`, 0],
    ] as const) {
      it(`is quick for ${search}`, async () => {
        if (!storage) return expect.fail('no storage')
        const services = { storage, environment: { now: () => 0 } } as never
        let best = Number.POSITIVE_INFINITY
        for (let round = 0; round < 3; round++) {
          const began = performance.now()
          const words = wordsIn(search)
          const { found } = await searched(services, { owner: OWNER, words, limit: 50 })
          best = Math.min(best, performance.now() - began)
          expect(found).to.have.length(count)
        }
        process.stdout.write(`      ${backend.name}: ${best.toFixed(0)} ms\n`)
        expect(best).to.be.below(LONGEST)
      })
    }
  })
}
