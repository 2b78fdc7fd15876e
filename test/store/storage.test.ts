import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Approval, NewEntry, Storage, StoredRecord } from '../../src/agent/storage/index.ts'
import { HostError } from '../../src/errors.ts'
import type { RunEvent } from '../../src/events/index.ts'
import { checkRecord } from '../../src/store/check-record.ts'
import { openStorage } from '../../src/store/index.ts'
import { PostgresServer } from '../helpers/postgres.ts'

const OWNER = 'ada'
const TALK = 'talk'

interface Backend {
  readonly name: string
  /** Why it cannot be had here. */
  readonly missing: string | undefined
  begin(): Promise<void>
  /** The place of a new, empty storage. */
  place(): string
  end(): Promise<void>
}

function sqlite(): Backend {
  let folder = ''
  let count = 0
  return {
    name: 'SQLite',
    missing: undefined,
    begin: async () => {
      folder = mkdtempSync(join(tmpdir(), 'braidwork-sqlite-'))
    },
    place: () => join(folder, `${++count}.db`),
    end: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

function postgres(): Backend {
  let server: PostgresServer | undefined
  return {
    name: 'PostgreSQL',
    missing: PostgresServer.missing(),
    begin: async () => {
      server = await PostgresServer.start()
    },
    place: () => server?.createDatabase() ?? '',
    end: async () => server?.close(),
  }
}

const memory: Backend = {
  name: 'memory',
  missing: undefined,
  begin: async () => undefined,
  place: () => 'memory',
  end: async () => undefined,
}

function entry(id: string, text = id): NewEntry {
  return {
    kind: 'message',
    id,
    message: { role: 'user', parts: [{ type: 'text', text }], metadata: { b: 1, a: [2] } },
  }
}

function events(runId: string, from: number, count: number): RunEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    type: 'text-delta',
    id: '1',
    delta: `${from + index} ✓`,
    runId,
    seq: from + index,
  }))
}

async function codeOf(answer: Promise<unknown>): Promise<string> {
  const thrown = await answer.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error,
  )
  return HostError.is(thrown) ? thrown.code : String(thrown)
}

for (const backend of [memory, sqlite(), postgres()]) {
  describe(`storage in ${backend.name}`, function () {
    this.timeout(30_000)
    let storage: Storage
    let place: string

    before(async function () {
      if (backend.missing !== undefined) {
        process.stderr.write(`storage in ${backend.name} is skipped: ${backend.missing}\n`)
        this.skip()
      }
      await backend.begin()
    })
    after(() => backend.end())
    beforeEach(async () => {
      place = backend.place()
      storage = await openStorage(place)
    })
    afterEach(() => storage.close())

    const create = (id = TALK, owner = OWNER, now = 1) =>
      storage.conversations.create({ id, owner, agent: 'a', sender: 's' }, now)
    const lease = (holder = 'h', expiresAt = 1000) => ({ holder, expiresAt })
    const start = (id: string, more: object = {}, append = { entries: [] as NewEntry[] }) =>
      storage.runs.start(
        { id, owner: OWNER, conversationId: TALK, facts: { x: [1] }, ...more },
        lease(),
        append,
        10,
      )

    describe('conversations', () => {
      it('are created, loaded, changed and deleted', async () => {
        const made = await create()
        expect(made).to.deep.equal({
          id: TALK,
          owner: OWNER,
          agent: 'a',
          sender: 's',
          metadata: {},
          createdAt: 1,
          updatedAt: 1,
        })
        expect(await storage.conversations.load(OWNER, TALK)).to.deep.equal(made)
        const change = { title: 'T', metadata: { pinned: true } }
        const changed = await storage.conversations.update(OWNER, TALK, change, 2)
        expect(changed).to.deep.equal({ ...made, ...change, updatedAt: 2 })
        const bare = await storage.conversations.update(OWNER, TALK, { title: null }, 3)
        expect(bare).not.to.have.property('title')
        expect(await storage.conversations.delete(OWNER, TALK)).to.equal(true)
        expect(await storage.conversations.delete(OWNER, TALK)).to.equal(false)
        expect(await storage.conversations.load(OWNER, TALK)).to.equal(undefined)
      })

      it('are there once', async () => {
        await create()
        expect(await codeOf(create())).to.equal('CONVERSATION_EXISTS')
        expect(await codeOf(create(TALK, 'bob'))).to.equal('CONVERSATION_EXISTS')
      })

      it('are nobody else’s to see, change or delete', async () => {
        await create()
        const { conversations } = storage
        expect(await conversations.load('bob', TALK)).to.equal(undefined)
        expect(await conversations.list('bob')).to.deep.equal([])
        expect(await conversations.delete('bob', TALK)).to.equal(false)
        const answers = [
          conversations.update('bob', TALK, {}, 1),
          conversations.append('bob', TALK, { entries: [entry('1')] }, 1),
          conversations.history('bob', TALK),
          conversations.entries('bob', TALK),
        ]
        expect(await Promise.all(answers.map(codeOf))).to.deep.equal(
          answers.map(() => 'CONVERSATION_UNKNOWN'),
        )
      })

      it('are found by exactly their agent and sender, the latest first', async () => {
        await create('1', OWNER, 1)
        await create('2', OWNER, 2)
        const { conversations } = storage
        expect((await conversations.latest(OWNER, 'a', 's'))?.id).to.equal('2')
        expect(await conversations.latest(OWNER, 'A', 's')).to.equal(undefined)
        expect(await conversations.latest(OWNER, 'a', 's ')).to.equal(undefined)
      })

      /** The ids of all pages of three, one after the other. */
      async function listed(before?: { updatedAt: number; id: string }): Promise<string[]> {
        const page = await storage.conversations.list(OWNER, {
          limit: 3,
          ...(before ? { before } : {}),
        })
        const ids = page.map(({ id }) => id)
        return page.length < 3 ? ids : [...ids, ...(await listed(page[2]))]
      }

      it('are listed page by page, the last updated first', async () => {
        const times = [5, 5, 5, 5, 4, 5, 6]
        for (const [at, time] of times.entries()) await create(`c${at}`, OWNER, time)
        expect(await listed()).to.deep.equal(['c6', 'c5', 'c3', 'c2', 'c1', 'c0', 'c4'])
      })
    })

    describe('entries', () => {
      const idsOf = async (at?: string) =>
        (await storage.conversations.history(OWNER, TALK, at)).map(({ id }) => id)

      beforeEach(() => create())

      it('form a tree, whose path from the root to the head is the history', async () => {
        const { conversations } = storage
        await conversations.append(OWNER, TALK, { entries: [entry('1'), entry('2')] }, 2)
        await conversations.append(OWNER, TALK, { entries: [entry('3')] }, 3)
        await conversations.append(OWNER, TALK, { entries: [entry('2b')], parent: '1' }, 4)
        expect(await idsOf()).to.deep.equal(['1', '2b'])
        expect(await idsOf('3')).to.deep.equal(['1', '2', '3'])
        await conversations.append(OWNER, TALK, { entries: [entry('0')], parent: null }, 5)
        expect(await idsOf()).to.deep.equal(['0'])
        await conversations.append(OWNER, TALK, { entries: [], parent: '3' }, 6)
        expect(await idsOf()).to.deep.equal(['1', '2', '3'])
        const all = await conversations.entries(OWNER, TALK)
        expect(all.map(({ id, seq, parent }) => [id, seq, parent])).to.deep.equal([
          ['1', 0, undefined],
          ['2', 1, '1'],
          ['3', 2, '2'],
          ['2b', 3, '1'],
          ['0', 4, undefined],
        ])
      })

      it('come back as they were, the order of keys too', async () => {
        const given = { ...entry('1', 'naïve ✓ \u{1f600}'), runId: 'r' }
        await storage.conversations.append(OWNER, TALK, { entries: [given] }, 2)
        const [stored] = await storage.conversations.history(OWNER, TALK)
        expect(stored).to.deep.equal({ ...given, seq: 0, createdAt: 2 })
        const text = JSON.stringify(stored?.kind === 'message' && stored.message)
        expect(text).to.equal(JSON.stringify(given.kind === 'message' && given.message))
      })

      it('that are there already are passed over', async () => {
        const { conversations } = storage
        await conversations.append(OWNER, TALK, { entries: [entry('1'), entry('2')] }, 2)
        const again = { entries: [entry('2', 'other'), entry('3')], parent: '1' }
        await conversations.append(OWNER, TALK, again, 3)
        expect(await idsOf()).to.deep.equal(['1', '2', '3'])
        const [, second] = await conversations.history(OWNER, TALK)
        expect(second).to.have.nested.property('message.parts[0].text', '2')
      })

      it('may be markers of compactions', async () => {
        const marker: NewEntry = { kind: 'compaction', id: 'm', summary: 'S', archive: 'hash' }
        await storage.conversations.append(OWNER, TALK, { entries: [marker] }, 2)
        const [stored] = await storage.conversations.history(OWNER, TALK)
        expect(stored).to.deep.equal({ ...marker, seq: 0, createdAt: 2 })
      })

      it('are refused below what is not there, all of them', async () => {
        const append = { entries: [entry('1')], parent: 'nowhere' }
        const { conversations } = storage
        expect(await codeOf(conversations.append(OWNER, TALK, append, 2))).to.equal('ENTRY_UNKNOWN')
        expect(await conversations.entries(OWNER, TALK)).to.deep.equal([])
        expect(await codeOf(conversations.history(OWNER, TALK, 'x'))).to.equal('ENTRY_UNKNOWN')
        const head = conversations.update(OWNER, TALK, { head: 'x' }, 2)
        expect(await codeOf(head)).to.equal('ENTRY_UNKNOWN')
      })

      it('are numbered without gaps, whoever appends at once', async () => {
        const all = Array.from({ length: 20 }, (_, at) => entry(`e${at}`))
        await Promise.all(
          all.map((one) => storage.conversations.append(OWNER, TALK, { entries: [one] }, 2)),
        )
        const stored = await storage.conversations.entries(OWNER, TALK)
        expect(stored.map(({ seq }) => seq)).to.deep.equal(all.map((_, at) => at))
        expect(await idsOf()).to.have.length(20)
      })
    })

    describe('runs', () => {
      beforeEach(() => create())

      it('begin with their entries, and are read back', async () => {
        const started = await start('r1', {}, { entries: [entry('q')] })
        expect(started.outcome).to.equal('started')
        expect(started.run).to.deep.equal({
          id: 'r1',
          owner: OWNER,
          conversationId: TALK,
          status: 'active',
          facts: { x: [1] },
          startedAt: 10,
          nextSeq: 0,
          legSeq: 0,
        })
        expect(await storage.runs.load(OWNER, 'r1')).to.deep.equal(started.run)
        expect(await storage.runs.load('bob', 'r1')).to.equal(undefined)
        expect(await storage.runs.open(OWNER, TALK)).to.deep.equal(started.run)
        expect(await storage.conversations.history(OWNER, TALK)).to.have.length(1)
      })

      it('are one at a time in a conversation; what came with a refused one is not kept', async () => {
        await start('r1')
        const second = await start('r2', {}, { entries: [entry('q')] })
        expect(second.outcome).to.equal('busy')
        expect(second.run.id).to.equal('r1')
        expect(await storage.runs.load(OWNER, 'r2')).to.equal(undefined)
        expect(await storage.conversations.entries(OWNER, TALK)).to.deep.equal([])
      })

      it('are one at a time, however many begin at once', async () => {
        const all = Array.from({ length: 10 }, (_, at) => start(`r${at}`))
        const outcomes = (await Promise.all(all)).map(({ outcome }) => outcome)
        expect(outcomes.filter((outcome) => outcome === 'started')).to.have.length(1)
        expect(outcomes.filter((outcome) => outcome === 'busy')).to.have.length(9)
      })

      it('begin once for a key of their owner', async () => {
        await start('r1', { idempotencyKey: 'k', conversationId: undefined })
        const again = await start('r2', { idempotencyKey: 'k', conversationId: undefined })
        expect(again).to.deep.include({ outcome: 'repeated' })
        expect(again.run.id).to.equal('r1')
        const other = { idempotencyKey: 'k', owner: 'bob', conversationId: undefined }
        expect((await start('r3', other)).outcome).to.equal('started')
      })

      it('begin in no conversation that is not there', async () => {
        expect(await codeOf(start('r1', { conversationId: 'x' }))).to.equal('CONVERSATION_UNKNOWN')
        expect(await codeOf(start('r1', { owner: 'bob' }))).to.equal('CONVERSATION_UNKNOWN')
      })

      it('keep their events in order, of many runs at once', async () => {
        await create('other')
        await start('r1')
        await start('r2', { conversationId: 'other' })
        const lost = await storage.runs.append('h', [
          { runId: 'r1', events: events('r1', 0, 700) },
          { runId: 'r2', events: events('r2', 0, 3) },
          { runId: 'gone', events: events('gone', 0, 1) },
        ])
        expect(lost).to.deep.equal(['gone'])
        expect(await storage.runs.append('h', [{ runId: 'r1', events: events('r1', 700, 1) }]))
          .to //
          .deep.equal([])
        expect(await storage.runs.events('r1')).to.deep.equal(events('r1', 0, 701))
        expect(await storage.runs.events('r1', { after: 2, limit: 2 })).to.deep.equal(
          events('r1', 3, 2),
        )
        expect(await storage.runs.events('r1', { after: 5000 })).to.deep.equal([])
        expect(await storage.runs.events('r2')).to.deep.equal(events('r2', 0, 3))
        expect((await storage.runs.load(OWNER, 'r1'))?.nextSeq).to.equal(701)
      })

      it('take nothing from whoever does not hold them', async () => {
        await start('r1')
        const batch = { runId: 'r1', events: events('r1', 0, 1) }
        expect(await storage.runs.append('other', [batch])).to.deep.equal(['r1'])
        const end = {
          runId: 'r1',
          holder: 'other',
          status: 'done',
          events: [],
          entries: [],
        } as const
        expect(await storage.runs.end(end, 20)).to.equal(false)
        expect(await storage.runs.held('other', ['r1'])).to.deep.equal([])
        expect(await storage.runs.renew(['r1'], lease('other'))).to.deep.equal([])
        expect(await storage.runs.held('h', ['r1', 'x'])).to.deep.equal(['r1'])
        expect(await storage.runs.renew(['r1', 'x'], lease('h', 2000))).to.deep.equal(['r1'])
      })

      it('end with their last events and entries at once', async () => {
        await start('r1', {}, { entries: [entry('q')] })
        const last = events('r1', 0, 2)
        const end = {
          runId: 'r1',
          holder: 'h',
          status: 'done',
          events: last,
          entries: [entry('a')],
        }
        expect(await storage.runs.end(end as never, 20)).to.equal(true)
        expect(await storage.runs.end(end as never, 21)).to.equal(false)
        const run = await storage.runs.load(OWNER, 'r1')
        expect(run).to.deep.include({ status: 'done', endedAt: 20, nextSeq: 2 })
        expect(await storage.runs.events('r1')).to.deep.equal(last)
        const history = await storage.conversations.history(OWNER, TALK)
        expect(history.map(({ id }) => id)).to.deep.equal(['q', 'a'])
        expect(await storage.runs.open(OWNER, TALK)).to.equal(undefined)
        expect((await start('r2')).outcome).to.equal('started')
      })

      it('wait, and go on once', async () => {
        await start('r1')
        const end = { runId: 'r1', holder: 'h', status: 'suspended', entries: [] } as const
        await storage.runs.end({ ...end, events: events('r1', 0, 2) }, 20)
        expect(await storage.runs.open(OWNER, TALK)).to.include({ id: 'r1', status: 'suspended' })
        expect(await storage.runs.resume('bob', 'r1', lease())).to.equal(undefined)
        const [one, two] = await Promise.all([
          storage.runs.resume(OWNER, 'r1', lease('h1')),
          storage.runs.resume(OWNER, 'r1', lease('h2')),
        ])
        const resumed = [one, two].filter((run) => run !== undefined)
        expect(resumed).to.have.length(1)
        expect(resumed[0]).to.include({ status: 'active', legSeq: 2, nextSeq: 2 })
      })

      it('that wait end when another begins', async () => {
        await start('r1')
        const end = { runId: 'r1', holder: 'h', status: 'suspended', entries: [] } as const
        await storage.runs.end({ ...end, events: [] }, 20)
        expect((await start('r2')).outcome).to.equal('started')
        expect(await storage.runs.load(OWNER, 'r1')).to.include({ status: 'aborted', endedAt: 10 })
        expect(await storage.runs.resume(OWNER, 'r1', lease())).to.equal(undefined)
        const listed = await storage.runs.list(OWNER, TALK)
        expect(listed.map(({ id }) => id)).to.deep.equal(['r2', 'r1'])
        expect(await storage.runs.list('bob', TALK)).to.deep.equal([])
      })

      it('are taken over when their lease is over, or their holder known to be gone', async () => {
        await start('r1')
        expect(await storage.runs.holders()).to.deep.equal(['h'])
        expect(await storage.runs.takeOver(lease('n'), 999)).to.deep.equal([])
        expect(await storage.runs.takeOver(lease('n', 3000), 1000)).to.have.length(1)
        expect(await storage.runs.held('h', ['r1'])).to.deep.equal([])
        expect(await storage.runs.takeOver(lease('m', 3000), 1001)).to.deep.equal([])
        expect(await storage.runs.takeOver(lease('m', 3000), 1001, ['n'])).to.have.length(1)
        expect(await storage.runs.seize('bob', 'r1', lease('b'))).to.equal(undefined)
        expect(await storage.runs.seize(OWNER, 'r1', lease('b'))).to.include({ id: 'r1' })
        expect(await storage.runs.held('b', ['r1'])).to.deep.equal(['r1'])
        await storage.runs.end(
          { runId: 'r1', holder: 'b', status: 'done', events: [], entries: [] },
          20,
        )
        expect(await storage.runs.holders()).to.deep.equal([])
      })

      it('have each part’s deltas in one piece in time, and nothing else changed', async () => {
        await start('r1')
        const finish = { type: 'start', requestId: 'q', runId: 'r1', seq: 2 } as const
        const end = { runId: 'r1', holder: 'h', status: 'done', entries: [] } as const
        await storage.runs.end({ ...end, events: [...events('r1', 0, 2), finish] }, 20)
        expect(await storage.runs.prune(20, 50)).to.equal(0)
        expect(await storage.runs.prune(21, 50)).to.equal(1)
        expect(await storage.runs.prune(21, 51)).to.equal(0)
        const [whole] = events('r1', 0, 1)
        const merged = [{ ...whole, delta: '0 ✓1 ✓' }, finish]
        expect(await storage.runs.events('r1')).to.deep.equal(merged)
        expect(await storage.runs.events('r1', { after: 0 })).to.deep.equal([finish])
        expect(await storage.runs.load(OWNER, 'r1')).to.include({ prunedAt: 50 })
      })

      it('go with their events, alone or with their conversation', async () => {
        await start('r1')
        await storage.runs.append('h', [{ runId: 'r1', events: events('r1', 0, 2) }])
        expect(await storage.runs.delete('bob', 'r1')).to.equal(false)
        expect(await storage.runs.delete(OWNER, 'r1')).to.equal(true)
        expect(await storage.runs.events('r1')).to.deep.equal([])
        await start('r2')
        await storage.runs.append('h', [{ runId: 'r2', events: events('r2', 0, 2) }])
        await storage.conversations.delete(OWNER, TALK)
        expect(await storage.runs.load(OWNER, 'r2')).to.equal(undefined)
        expect(await storage.runs.events('r2')).to.deep.equal([])
      })
    })

    describe('approvals', () => {
      const approval: Approval = {
        id: 'p',
        owner: OWNER,
        runId: 'r1',
        conversationId: TALK,
        callId: 'c',
        tool: 'remove',
        input: { path: '/' },
        binding: 'hash',
        requestedAt: 5,
        expiresAt: 100,
      }

      beforeEach(async () => {
        await create()
        await start('r1')
      })

      it('are listed by their run, in order', async () => {
        const others = ['a', 'z', 'b'].map((id) => ({ ...approval, id }))
        await storage.approvals.create(others)
        await storage.approvals.create([{ ...approval, id: '0', requestedAt: 6 }])
        const listed = await storage.approvals.list('r1')
        expect(listed.map(({ id }) => id)).to.deep.equal(['a', 'z', 'b', '0'])
        expect(listed[0]).to.deep.equal(others[0])
        expect(await storage.approvals.list('x')).to.deep.equal([])
      })

      it('take the first answer of their owner, and none that comes too late', async () => {
        const late = { ...approval, id: 'late' }
        await storage.approvals.create([approval, late])
        const yes = { approved: true, answeredAt: 50 }
        const no = { approved: false, reason: 'no', answeredAt: 51 }
        expect(await storage.approvals.answer('bob', 'p', yes)).to.equal(undefined)
        expect(await storage.approvals.answer(OWNER, 'p', yes)).to.deep.equal({
          ...approval,
          answer: yes,
        })
        expect((await storage.approvals.answer(OWNER, 'p', no))?.answer).to.deep.equal(yes)
        const after = { approved: true, answeredAt: 100 }
        expect(await storage.approvals.answer(OWNER, 'late', after)).to.equal(undefined)
        expect((await storage.approvals.load(OWNER, 'late'))?.answer).to.equal(undefined)
        expect(await storage.approvals.answer(OWNER, 'x', yes)).to.equal(undefined)
      })

      it('are answered once, however many answer at once', async () => {
        await storage.approvals.create([approval])
        const answers = await Promise.all(
          [true, false, true, false].map((approved, at) =>
            storage.approvals.answer(OWNER, 'p', { approved, answeredAt: 50 + at }),
          ),
        )
        const given = new Set(answers.map((one) => JSON.stringify(one?.answer)))
        expect(given.size).to.equal(1)
      })

      it('go with their conversation', async () => {
        await storage.approvals.create([approval])
        await storage.conversations.delete(OWNER, TALK)
        expect(await storage.approvals.load(OWNER, 'p')).to.equal(undefined)
      })
    })

    describe('files', () => {
      const bytes = Uint8Array.from({ length: 1000 }, (_, at) => at % 256)

      it('are kept once under the hash of their bytes', async () => {
        await create()
        const file = { mediaType: 'image/png', name: 'a.png', bytes }
        const hash = await storage.files.put(OWNER, file, TALK)
        expect(hash).to.match(/^[0-9a-f]{64}$/)
        expect(await storage.files.put(OWNER, file, TALK)).to.equal(hash)
        expect(await storage.files.load(OWNER, hash)).to.deep.equal({ ...file, hash })
        expect(await storage.files.load('bob', hash)).to.equal(undefined)
        expect(await storage.files.put('bob', { mediaType: 'a/b', bytes })).to.equal(hash)
        expect(await storage.files.delete(OWNER, hash)).to.equal(true)
        expect(await storage.files.delete(OWNER, hash)).to.equal(false)
        expect((await storage.files.load('bob', hash))?.bytes).to.deep.equal(bytes)
      })

      it('go with the last conversation that has them', async () => {
        await create()
        await create('other')
        const file = { mediaType: 'image/png', bytes }
        const hash = await storage.files.put(OWNER, file, TALK)
        await storage.files.put(OWNER, file, 'other')
        await storage.conversations.delete(OWNER, TALK)
        expect(await storage.files.load(OWNER, hash)).to.not.equal(undefined)
        await storage.conversations.delete(OWNER, 'other')
        expect(await storage.files.load(OWNER, hash)).to.equal(undefined)
      })
    })

    it('keeps the settings of each', async () => {
      const { settings } = storage
      expect(await settings.load(OWNER)).to.equal(undefined)
      await settings.save(OWNER, { temperature: 1 }, 1)
      await settings.save(OWNER, { temperature: 0, settings: { a: { b: [1] } } }, 2)
      expect(await settings.load(OWNER)).to.deep.equal({
        temperature: 0,
        settings: { a: { b: [1] } },
      })
      expect(await settings.load('bob')).to.equal(undefined)
      expect(await settings.delete(OWNER)).to.equal(true)
      expect(await settings.delete(OWNER)).to.equal(false)
    })

    it('keeps agents under ids that stay when their names change', async () => {
      const { agents } = storage
      const agent = { id: '1', owner: OWNER, name: 'zoe', spec: { model: 'm' }, updatedAt: 1 }
      await agents.upsert(agent)
      await agents.upsert({ ...agent, id: '2', name: 'Ann' })
      await agents.upsert({ ...agent, id: '3', owner: 'bob' })
      expect((await agents.list(OWNER)).map(({ name }) => name)).to.deep.equal(['Ann', 'zoe'])
      expect(await agents.loadByName(OWNER, 'zoe')).to.deep.equal(agent)
      await agents.rename(OWNER, '1', 'eva', 2)
      expect(await agents.load(OWNER, '1')).to.deep.equal({ ...agent, name: 'eva', updatedAt: 2 })
      expect(await codeOf(agents.rename(OWNER, '1', 'Ann', 3))).to.equal('AGENT_NAME_TAKEN')
      expect(await codeOf(agents.upsert({ ...agent, id: '9', name: 'eva' }))).to.equal(
        'AGENT_NAME_TAKEN',
      )
      expect(await codeOf(agents.rename('bob', '1', 'x', 3))).to.equal('AGENT_UNKNOWN')
      expect(await agents.delete('bob', '1')).to.equal(false)
      expect(await agents.delete(OWNER, '1')).to.equal(true)
      expect(await agents.load(OWNER, '1')).to.equal(undefined)
    })

    it('keeps the values of plugins, for a conversation, with which they go, or for none', async () => {
      await create()
      const own = storage.storageOf('memory', TALK)
      const none = storage.storageOf('memory')
      await own.set('b:2', { x: [1] })
      await own.set('b:1', 'y')
      await own.set('a', null)
      await none.set('a', 5)
      expect(await own.get('b:2')).to.deep.equal({ x: [1] })
      expect(await own.list()).to.deep.equal(['a', 'b:1', 'b:2'])
      expect(await own.list('b:')).to.deep.equal(['b:1', 'b:2'])
      expect(await storage.storageOf('other', TALK).list()).to.deep.equal([])
      await own.set('b:1', 'z')
      expect(await own.get('b:1')).to.equal('z')
      await own.delete('b:1')
      expect(await own.get('b:1')).to.equal(undefined)
      await storage.conversations.delete(OWNER, TALK)
      expect(await own.list()).to.deep.equal([])
      expect(await none.get('a')).to.equal(5)
    })

    it('keeps documents by kind and name', async () => {
      const { documents } = storage
      const memo = {
        kind: 'memory',
        owner: OWNER,
        name: 'b',
        content: ['x'],
        updatedAt: 1,
      } as const
      await documents.save(memo)
      await documents.save({ ...memo, name: 'a' })
      await documents.save({ ...memo, kind: 'skill' })
      await documents.save({ ...memo, content: { y: 1 }, updatedAt: 2 })
      const listed = await documents.list(OWNER, 'memory')
      expect(listed.map(({ name, content }) => [name, content])).to.deep.equal([
        ['a', ['x']],
        ['b', { y: 1 }],
      ])
      expect(await documents.load(OWNER, 'manifest', 'b')).to.equal(undefined)
      expect(await documents.delete(OWNER, 'memory', 'b')).to.equal(true)
      expect(await documents.delete(OWNER, 'memory', 'b')).to.equal(false)
    })

    it('says that it is there', async () => {
      await storage.check()
    })

    describe('exports and imports', () => {
      async function fill(): Promise<void> {
        await create()
        await create('bobs', 'bob')
        await start('r1', { idempotencyKey: 'k' }, { entries: [entry('q'), entry('a')] })
        await storage.runs.append('h', [{ runId: 'r1', events: events('r1', 0, 5) }])
        await storage.approvals.create([
          {
            id: 'p',
            owner: OWNER,
            runId: 'r1',
            callId: 'c',
            tool: 't',
            input: {},
            binding: 'b',
            requestedAt: 1,
            expiresAt: 2,
          },
        ])
        await storage.files.put(OWNER, { mediaType: 'a/b', bytes: Uint8Array.of(0, 255) }, TALK)
        await storage.settings.save(OWNER, { temperature: 1 }, 1)
        await storage.storageOf('memory', TALK).set('k', { v: 1 })
        await storage.storageOf('memory').set('k', 2)
        const common = { owner: OWNER, name: 'n', updatedAt: 1 }
        await storage.agents.upsert({ ...common, id: '1', spec: {} })
        await storage.documents.save({ ...common, kind: 'skill', content: null })
      }

      async function all(of: Storage, owner?: string): Promise<StoredRecord[]> {
        const records: StoredRecord[] = []
        for await (const record of of.exportRecords(owner)) records.push(record)
        return records
      }

      it('all that there is, as lines that another storage takes over', async () => {
        await fill()
        const records = await all(storage)
        const lines = records.map((record) => JSON.stringify(record))
        for (const line of lines) await checkRecord(JSON.parse(line))
        const other = await openStorage('memory')
        const parsed = lines.map((line) => JSON.parse(line) as StoredRecord)
        expect(await other.importRecords(parsed)).to.equal(records.length)
        expect(await all(other)).to.have.deep.members(records)
        expect(await storage.importRecords(parsed)).to.equal(0)
        const fresh = await openStorage(backend.place())
        expect(await fresh.importRecords(parsed)).to.equal(records.length)
        expect(await all(fresh)).to.have.deep.members(records)
        const history = await fresh.conversations.history(OWNER, TALK)
        expect(history.map(({ id }) => id)).to.deep.equal(['q', 'a'])
        // Whoever imports it is not the process that wrote it.
        expect(await fresh.runs.takeOver(lease('n'), 1)).to.have.length(1)
        await fresh.close()
      })

      it('what is one owner’s alone', async () => {
        await fill()
        const records = await all(storage, 'bob')
        expect(records.map(({ type }) => type)).to.deep.equal(['conversation'])
      })
    })

    it('keeps whatever texts there are', async () => {
      await create()
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (text) => {
          const safe = text.replaceAll('\0', ' ')
          await storage.settings.save(safe, { [safe]: text }, 1)
          expect(await storage.settings.load(safe)).to.deep.equal({ [safe]: text })
        }),
        { numRuns: 50 },
      )
    })
  })
}
