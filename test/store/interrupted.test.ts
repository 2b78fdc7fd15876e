import { expect } from 'chai'
import type { Entry, Storage } from '../../src/agent/storage/index.ts'
import { sqlStorage } from '../../src/store/sql/index.ts'
import { SQLITE } from '../../src/store/sqlite/index.ts'
import { openConnection } from '../../src/store/sqlite/opening.ts'
import { SqliteDatabase } from '../../src/store/sqlite/sqlite-database.ts'
import { HAS_ALL_CASES } from '../helpers/cases.ts'
import { begin, madeSqlite } from './backends.ts'
import { InterruptedDatabase } from './interrupted-database.ts'
import { entry, OWNER, outcomeOf, TALK } from './stored.ts'

/** Of so many statements one is the moment. */
const EVERY = HAS_ALL_CASES ? 1 : 8

/** More than any page of entries has, some of them so long that they are kept in pieces. */
const TEXTS = Array.from({ length: 1010 }, (_, at) => (at % 500 === 5 ? 'x'.repeat(200_000) : 'y'))

const READERS: {
  readonly [name: string]: (storage: Storage) => Promise<readonly Entry[]>
} = {
  entries: ({ conversations }) => conversations.entries(OWNER, TALK),
  history: ({ conversations }) => conversations.history(OWNER, TALK),
}

/** A conversation that ends between any two statements with which it is read. */
describe('a conversation that is read', function () {
  this.timeout(60_000)
  const backend = madeSqlite()
  let database: InterruptedDatabase
  let storage: Storage
  before(async function () {
    await begin(backend, this)
  })
  after(() => backend.end())
  beforeEach(async () => {
    const place = backend.place()
    database = new InterruptedDatabase(new SqliteDatabase(openConnection(place), place))
    storage = await sqlStorage(database, SQLITE)
  })
  afterEach(() => storage.close())

  async function create(now: number): Promise<void> {
    await storage.conversations.create({ id: TALK, owner: OWNER, agent: 'a', sender: 's' }, now)
    const entries = TEXTS.map((text, at) => entry(`e${at}`, text))
    await storage.conversations.append(OWNER, TALK, { entries }, now)
  }

  const gone = () => storage.conversations.delete(OWNER, TALK)
  const another = async () => {
    await gone()
    const own = { id: TALK, owner: OWNER, agent: 'a', sender: 's' }
    await storage.conversations.create(own, 3)
    await storage.conversations.append(OWNER, TALK, { entries: [entry('other')] }, 3)
  }

  async function endOf(reading: Promise<readonly Entry[]>): Promise<string> {
    const entries = await outcomeOf(reading)
    if (typeof entries === 'string') return entries
    if (entries.length === 1 && entries[0]?.id === 'other') return 'replaced'
    const texts = entries.map((one) => one.kind === 'message' && one.message.parts[0])
    const isWhole = TEXTS.every((text, at) => {
      const part = texts[at]
      return part && part.type === 'text' && part.text === text
    })
    return isWhole && texts.length === TEXTS.length ? 'whole' : `${texts.length} entries`
  }

  let start = 0
  for (const [name, read] of Object.entries(READERS)) {
    for (const [ending, end] of Object.entries({ deleted: gone, replaced: another })) {
      const first = 1 + ((2 * start++) % EVERY)
      it(`as ${name} is whole or gone, wherever it is ${ending} meanwhile`, async () => {
        const outcomes: string[] = []
        let number = first
        for (let isOver = false; !isOver; number += EVERY) {
          await create(2)
          database.interrupt(number, end)
          outcomes.push(await endOf(read(storage)))
          isOver = !database.wasInterrupted
          await gone()
        }
        expect(number, 'statements').to.be.above(10)
        const known = ['CONVERSATION_UNKNOWN', 'whole', ...(end === another ? ['replaced'] : [])]
        expect(known).to.include.members(outcomes)
        expect(outcomes).to.include.members(['CONVERSATION_UNKNOWN', 'whole'])
      })
    }
  }
})
