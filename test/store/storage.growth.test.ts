import { expect } from 'chai'
import type { Approval, Storage, StoredRecord } from '../../src/agent/storage/index.ts'
import { conversationKey, openStorage } from '../../src/store/index.ts'
import { expectLinear, MOST_GROWTH, SIZES, type Subject, toldGrowth } from '../helpers/doubling.ts'
import { type Backend, begin, memory, postgres, sqlite } from './backends.ts'
import { entry, events, OWNER, TALK } from './stored.ts'

const RUN = 'run'
const LEASE = { holder: 'h', expiresAt: Number.MAX_SAFE_INTEGER }

/** Storages that a test has opened, each filled with so much of one kind. */
class Filled {
  readonly #backend: Backend
  readonly #opened = new Set<Storage>()
  /** Those with a long conversation, by its size: it takes a while to make, and nothing changes it. */
  readonly #talks = new Map<number, Storage>()
  #count = 0

  constructor(backend: Backend) {
    this.#backend = backend
  }

  async open(): Promise<Storage> {
    const storage = await openStorage(this.#backend.place())
    this.#opened.add(storage)
    return storage
  }

  async shut(storage: Storage): Promise<void> {
    if (this.#opened.delete(storage)) await storage.close()
  }

  /** All but those with a long conversation. */
  async shutAll(): Promise<void> {
    const kept = new Set(this.#talks.values())
    for (const storage of this.#opened) if (!kept.has(storage)) await this.shut(storage)
  }

  async close(): Promise<void> {
    for (const storage of this.#opened) await this.shut(storage)
    this.#talks.clear()
  }

  /** A name that was not used before. */
  name(): string {
    return `name-${++this.#count}`
  }

  /** A conversation of so many entries. */
  async talk(size: number): Promise<Storage> {
    const made = this.#talks.get(size)
    if (made) return made
    const storage = await this.open()
    this.#talks.set(size, storage)
    await createTalk(storage)
    await storage.conversations.append(OWNER, TALK, { entries: entries(size) }, 2)
    return storage
  }

  /** A run of so many events, that is over. */
  async run(size: number, storage?: Storage, id = RUN): Promise<Storage> {
    const place = storage ?? (await this.open())
    await startRun(place, id)
    await place.runs.append('h', [{ runId: id, events: events(id, 0, size) }])
    const end = { runId: id, holder: 'h', status: 'done', events: [], entries: [] } as const
    await place.runs.end(end, 20)
    return place
  }
}

function entries(size: number) {
  return Array.from({ length: size }, (_, at) => entry(`e${at}`))
}

function createTalk({ conversations }: Storage, id = TALK) {
  return conversations.create({ id, owner: OWNER, agent: 'a', sender: 's' }, 1)
}

function startRun({ runs }: Storage, id: string, more: object = {}) {
  return runs.start({ id, owner: OWNER, order: {}, ...more }, LEASE, { entries: [] }, 10)
}

function approvals(size: number, runId = RUN): Approval[] {
  return Array.from({ length: size }, (_, at) => ({
    id: `${runId}.${at}`,
    owner: OWNER,
    runId,
    callId: `c${at}`,
    tool: 't',
    input: {},
    binding: 'b',
    requestedAt: 1,
    expiresAt: 100,
  }))
}

async function countOf(all: AsyncIterable<unknown>): Promise<number> {
  let count = 0
  for await (const _ of all) count++
  return count
}

function runs(size: number): StoredRecord[] {
  const run = {
    owner: OWNER,
    conversationId: TALK,
    status: 'done',
    order: {},
    startedAt: 1,
    nextSeq: 0,
    legSeq: 0,
  } as const
  return Array.from({ length: size }, (_, at) => ({ type: 'run', run: { ...run, id: `r${at}` } }))
}

function records(size: number): StoredRecord[] {
  const conversation = {
    id: TALK,
    owner: OWNER,
    agent: 'a',
    sender: 's',
    metadata: {},
    createdAt: 1,
    updatedAt: 1,
  }
  const all = entries(size).map((one, seq) => ({
    type: 'entry' as const,
    owner: OWNER,
    conversationId: TALK,
    entry: { ...one, ...(seq === 0 ? {} : { parent: `e${seq - 1}` }), seq, createdAt: 1 },
  }))
  return [{ type: 'conversation', conversation }, ...all]
}

interface Measured extends Subject {
  /** Which part of the sizes is measured, where each piece is a statement of its own. */
  readonly part?: number
}

/** What callers read of a long conversation. */
function readings(filled: Filled): readonly Measured[] {
  return [
    {
      name: 'the history of a conversation',
      make: async (size) => {
        const { conversations } = await filled.talk(size)
        return async () => {
          expect(await conversations.history(OWNER, TALK)).to.have.length(size)
        }
      },
    },
    {
      name: 'all entries of a conversation',
      make: async (size) => {
        const { conversations } = await filled.talk(size)
        return async () => {
          expect(await conversations.entries(OWNER, TALK)).to.have.length(size)
        }
      },
    },
    {
      name: 'an export',
      make: async (size) => {
        const storage = await filled.talk(size)
        return async () => expect(await countOf(storage.exportRecords())).to.equal(size + 1)
      },
    },
  ]
}

/** What callers make a storage do with much of one kind. */
function subjects(filled: Filled): readonly Measured[] {
  return [
    {
      name: 'the events of a run',
      make: async (size) => {
        const { runs } = await filled.run(size)
        return async () => expect(await lastRead(runs)).to.equal(size - 1)
      },
    },
    {
      name: 'an append to a conversation, and its deletion',
      part: 4,
      make: async (size) => {
        const storage = await filled.open()
        const all = entries(size)
        return async () => {
          const id = filled.name()
          await createTalk(storage, id)
          await storage.conversations.append(OWNER, id, { entries: all }, 2)
          await storage.conversations.delete(OWNER, id)
        }
      },
    },
    {
      name: 'an import',
      part: 16,
      make: (size) => {
        const all = records(size)
        return async () => {
          const storage = await filled.open()
          expect(await storage.importRecords(all)).to.equal(size + 1)
          await filled.shut(storage)
        }
      },
    },
    {
      name: 'the pruning of a run',
      part: 16,
      make: async (size) => {
        const storage = await filled.open()
        return async () => {
          await filled.run(size, storage, filled.name())
          expect(await storage.runs.prune(100, 100)).to.equal(1)
        }
      },
    },
    {
      name: 'the approvals of a run',
      part: 16,
      make: async (size) => {
        const storage = await filled.open()
        return async () => {
          const id = filled.name()
          await startRun(storage, id)
          const end = {
            runId: id,
            holder: 'h',
            status: 'suspended',
            events: [],
            entries: [],
          } as const
          await storage.runs.end({ ...end, approvals: approvals(size, id) }, 20)
          expect(await storage.approvals.list(OWNER, id)).to.have.length(size)
          await storage.runs.delete(OWNER, id)
        }
      },
    },
    {
      name: 'the runs of a conversation',
      part: 16,
      make: async (size) => {
        const storage = await filled.open()
        await createTalk(storage)
        await storage.importRecords(runs(size))
        return async () => expect(await storage.runs.list(OWNER, TALK)).to.have.length(size)
      },
    },
    {
      name: 'what many callers keep',
      part: 64,
      make: (size) => async () => {
        const storage = await filled.open()
        for (let at = 0; at < size / 2; at++) await keep(storage, `o${at % 10}`, at, filled.name())
        await filled.shut(storage)
      },
    },
  ]
}

async function lastRead(runs: Storage['runs']): Promise<number> {
  for (let after = -1; ; ) {
    const page = await runs.events(OWNER, RUN, { after })
    if (page.length === 0) return after
    after = page.at(-1)?.seq ?? after
  }
}

/** Something of each kind, and half of it gone again. */
async function keep(storage: Storage, owner: string, at: number, id: string): Promise<void> {
  await storage.conversations.create({ id, owner, agent: 'a', sender: 's' }, at)
  const bytes = Uint8Array.from([at, at >> 8])
  await storage.files.put(owner, { mediaType: 'a/b', bytes }, id)
  await storage.storageOf('memory', conversationKey(owner, id)).set('k', at)
  await startRun(storage, id, { owner, conversationId: id, idempotencyKey: id })
  if (at % 2 === 0) await storage.conversations.delete(owner, id)
}

for (const backend of [memory, sqlite(), postgres()]) {
  describe(`storage in ${backend.name}`, function () {
    this.timeout(180_000)
    const filled = new Filled(backend)
    before(async function () {
      await begin(backend, this)
    })
    after(async () => {
      await filled.close()
      await backend.end()
    })
    afterEach(() => filled.shutAll())

    const measure = ({ name, make, part = 1 }: Measured): void => {
      it(`takes time that grows as ${name} does`, async () => {
        const sizes = SIZES.map((size) => Math.ceil(size / part))
        const growth = await expectLinear({ name, sizes, make })
        process.stdout.write(`      ${backend.name}: ${toldGrowth(growth)}\n`)
      })
    }

    describe('of a long conversation', () => {
      after(() => filled.close())
      for (const reading of readings(filled)) measure(reading)
    })

    describe('of much else', () => {
      for (const subject of subjects(filled)) measure(subject)
    })
  })
}

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
