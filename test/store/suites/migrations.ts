import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { type Entry, type Storage, searchedIn, wordsIn } from '../../../src/agent/storage/index.ts'
import type { Message } from '../../../src/plugin/index.ts'
import { conversationKey, openStorage } from '../../../src/store/index.ts'
import { type Backend, begin } from '../backends.ts'
import { OWNER, Stored, TALK } from '../stored.ts'
import { storeOfEach } from './usage.ts'

const TEAM = 'team/50%'

const said = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })

export interface Written {
  readonly backend: Backend
  /** Puts there what an earlier version wrote. */
  restore(place: string, dump: string): Promise<void>
}

/** As the version before the one that knows child runs left it. */
const WITHOUT_TREES = `
  DROP TABLE search_texts;
  DROP TABLE unsearched_conversations;
  DROP INDEX entries_by_message;
  DROP INDEX entries_without_message;
  ALTER TABLE entries DROP COLUMN message_id;
  DROP TABLE shared_values;
  DROP INDEX runs_below;
  ALTER TABLE runs DROP COLUMN root_run_id;
  ALTER TABLE runs DROP COLUMN place;
  UPDATE schema_version SET version = 12;`

/** As the version before the one that stores tokens and counts left it. */
const WITHOUT_TOKENS = `${WITHOUT_TREES}
  DROP TABLE tokens;
  DROP TABLE token_revision;
  DROP TABLE counters;
  DROP INDEX runs_owned;
  UPDATE schema_version SET version = 10;`

/** As the version before the one that calls the order of a run so left it. */
const WITH_FACTS = `${WITHOUT_TOKENS}
  ALTER TABLE runs RENAME COLUMN run_order TO facts;
  DROP INDEX conversations_expiring;
  ALTER TABLE conversations DROP COLUMN expires_at;
  UPDATE schema_version SET version = 8;`

/** As the version before the one that counts what is stored left it. */
const UNCOUNTED = `${WITHOUT_TOKENS}
  ALTER TABLE runs RENAME COLUMN run_order TO facts;
  DROP INDEX conversations_expiring;
  ALTER TABLE conversations DROP COLUMN expires_at;
  ALTER TABLE conversations DROP COLUMN bytes;
  ALTER TABLE runs DROP COLUMN bytes;
  ALTER TABLE files DROP COLUMN size;
  DROP TABLE usage;
  DROP TABLE blob_pieces;
  DROP TABLE entry_pieces;
  DROP TABLE run_pieces;
  ALTER TABLE entries DROP COLUMN pieces;
  ALTER TABLE runs DROP COLUMN pieces;
  UPDATE schema_version SET version = 5;`

/** What a storage has that earlier versions have written. */
export function migrationsSuite({ backend, restore }: Written): void {
  describe(`a storage in ${backend.name} that version 1 has written`, function () {
    this.timeout(30_000)
    let place: string
    let storage: Storage

    before(async function () {
      await begin(backend, this)
    })
    after(() => backend.end())
    beforeEach(async () => {
      place = backend.place()
      const file = `../fixtures/version-1.${backend.name === 'SQLite' ? 'sqlite' : 'postgres'}.sql`
      await restore(place, readFileSync(new URL(file, import.meta.url), 'utf8'))
      storage = await openStorage(place)
    })
    afterEach(() => storage.close())

    const idsOf = async (owner: string, id: string, at?: string) =>
      (await storage.conversations.history(owner, id, at)).map((entry) => entry.id)

    it('has its conversations, with all their branches', async () => {
      const listed = await storage.conversations.list('ada')
      expect(listed.map(({ id }) => id)).to.deep.equal(['talk', 'other'])
      expect(listed[0]).to.include({ title: 'Of ada', createdAt: 1, updatedAt: 24 })
      expect(await idsOf('ada', 'talk')).to.deep.equal(['q1b', 'a2'])
      expect(await idsOf('ada', 'talk', 'a1')).to.deep.equal(['q1', 'a1'])
      expect(await idsOf(TEAM, 'bobs')).to.deep.equal(['q3'])
    })

    it('finds its messages by their ids, beside those that came later', async () => {
      const { conversations } = storage
      const later = { kind: 'message', id: 'q9', message: { role: 'user', parts: [] } } as const
      await conversations.append('ada', 'talk', { entries: [later] }, 99)
      const known = await conversations.knownMessages('ada', 'talk', ['q1', 'q9', 'q1b', 'none'])
      expect([...known].sort()).to.deep.equal(['q1', 'q1b', 'q9'])
    })

    it('finds what was said, in one search as in the next, until it is deleted', async () => {
      const { conversations } = storage
      const search = async (word: string) => {
        const entries: string[] = []
        const listed = await conversations.list('ada')
        for await (const one of conversations.search('ada', listed, [word])) {
          entries.push(`${one.conversationId} ${one.entry.id}`)
        }
        return entries
      }
      const all = await conversations.history('ada', 'talk')
      const word = wordsIn(searchedIn(all[0] as Entry))[0] ?? expect.fail('nothing was said')
      const first = await search(word)
      expect(first.some((one) => one.startsWith('talk '))).to.equal(true)
      expect(await search(word)).to.deep.equal(first)
      const later = { kind: 'message', id: 'q9', message: said('a needle') } as const
      await conversations.append('ada', 'other', { entries: [later] }, 99)
      expect(await search('needle')).to.deep.equal(['other q9'])
      await conversations.delete('ada', 'talk')
      expect((await search(word)).some((one) => one.startsWith('talk '))).to.equal(false)
    })

    it('has its runs, their events and approvals, and they go on', async () => {
      const { runs, approvals } = storage
      expect(await runs.load('ada', 'run-1')).to.include({ status: 'done', conversationId: 'talk' })
      const events = await runs.events('ada', 'run-1')
      expect(events.map(({ seq }) => seq)).to.deep.equal([0, 1, 2, 3])
      expect((await approvals.list('ada', 'run-2')).map(({ id }) => id)).to.deep.equal(['p'])
      const lease = { holder: 'n', expiresAt: 2000 }
      expect(await runs.resume('ada', 'run-2', lease)).to.include({ status: 'active', legSeq: 2 })
      const held = (await runs.leases()).filter(({ expiresAt }) => expiresAt <= 1000)
      const left = await runs.takeOver(lease, held)
      expect(left.map(({ id }) => id)).to.deep.equal(['run-3'])
      const again = { id: 'new', owner: 'ada', order: {}, idempotencyKey: 'k' }
      const start = await runs.start(again, lease, { entries: [] }, 1)
      expect(start).to.include({ outcome: 'repeated' })
    })

    it('has what else was kept, and what plugins keep where they find it now', async () => {
      expect(await storage.settings.load('ada')).to.deep.equal({ temperature: 1 })
      expect((await storage.agents.load('ada', '1'))?.spec).to.deep.equal({ model: 'm' })
      expect((await storage.documents.load('ada', 'skill', 'n'))?.content).to.equal('x')
      const values = [conversationKey('ada', 'talk'), conversationKey(TEAM, 'bobs'), undefined]
      const kept = values.map((key) => storage.storageOf('memory', key).get('k'))
      expect(await Promise.all(kept)).to.deep.equal([{ v: 1 }, 'theirs', 2])
    })

    it('lets a second owner have ids of the first, and go without anything of his going', async () => {
      const { conversations } = storage
      await conversations.create({ id: 'talk', owner: 'bob', agent: 'a', sender: 's' }, 50)
      expect(await conversations.delete('bob', 'talk')).to.equal(true)
      expect(await idsOf('ada', 'talk')).to.deep.equal(['q1b', 'a2'])
      const files = []
      for await (const record of storage.exportRecords('ada')) {
        if (record.type === 'file') files.push(record)
      }
      expect(files).to.have.length(1)
      await conversations.delete('ada', 'talk')
      expect(await storage.runs.events('ada', 'run-1')).to.deep.equal([])
      expect(await storage.approvals.load('ada', 'p')).to.equal(undefined)
    })

    it('has the orders of runs, also those in pieces of the version that called them facts', async () => {
      expect((await storage.runs.load('ada', 'run-1'))?.order).to.deep.equal({ protocol: 'ag-ui' })
      const stored = new Stored({ ...backend, place: () => place })
      place = backend.place()
      await stored.open()
      await stored.create()
      const order = { tools: 'é'.repeat(200_000) }
      await stored.start('r1', { order })
      await stored.storage.close()
      await restore(place, WITH_FACTS)
      await stored.open()
      expect((await stored.storage.runs.load(OWNER, 'r1'))?.order).to.deep.equal(order)
      const next = { conversationId: undefined, order: { x: 2 } }
      expect((await stored.start('r2', next)).outcome).to.equal('started')
      expect((await stored.storage.runs.load(OWNER, 'r2'))?.order).to.deep.equal({ x: 2 })
      await stored.storage.close()
    })

    it('counts what earlier versions stored as if it had counted all along', async () => {
      const stored = new Stored({ ...backend, place: () => place })
      place = backend.place()
      await stored.open()
      await storeOfEach(stored)
      const usage = await stored.storage.usage(OWNER)
      const size = await stored.storage.conversations.size(OWNER, TALK)
      await stored.storage.close()
      await restore(place, UNCOUNTED)
      await stored.open()
      expect(await stored.storage.usage(OWNER)).to.deep.equal(usage)
      expect(await stored.storage.conversations.size(OWNER, TALK)).to.equal(size)
      await stored.storage.conversations.delete(OWNER, TALK)
      expect(await stored.storage.usage(OWNER)).to.include({ conversations: 0, files: 1 })
      await stored.storage.close()
    })

    it('stores tokens and counts, also if the version before knew neither', async () => {
      const other = backend.place()
      await (await openStorage(other)).close()
      await restore(other, WITHOUT_TOKENS)
      const { tokens, counters, close } = await openStorage(other)
      const token = { id: 't', hash: 'h', prefix: 'bw_', identity: { id: 'ada' }, createdAt: 1 }
      await tokens.create(token)
      expect(await tokens.find('h')).to.deep.equal(token)
      const window = { key: 'k', startsAt: 0, endsAt: 9, most: 1, amount: 1, held: 0 }
      expect(await counters.take([window])).to.deep.equal([])
      expect(await counters.take([window])).to.deep.equal([{ key: 'k', isSpent: true }])
      await close()
    })

    it('stores child runs, also if the version before knew none', async () => {
      const other = backend.place()
      await (await openStorage(other)).close()
      await restore(other, WITHOUT_TREES)
      const { runs, close } = await openStorage(other)
      const lease = { holder: 'h', expiresAt: 1 }
      const place = {
        parentRunId: 'r',
        parentCallId: 'c',
        rootRunId: 'r',
        depth: 1,
        agent: 'a',
        lane: 'subagent',
        above: [],
      } as const
      const append = { entries: [] }
      await runs.start({ id: 'r', owner: 'ada', order: {} }, lease, append, 1)
      await runs.start({ id: 's', owner: 'ada', order: {}, place }, lease, append, 1)
      const tree = await runs.tree('ada', 'r')
      expect(tree.map((run) => run.place?.rootRunId)).to.deep.equal([undefined, 'r'])
      await close()
    })

    it('is brought to this version once, whoever opens it at once', async () => {
      await storage.close()
      const opened = await Promise.all([openStorage(place), openStorage(place)])
      const listed = await Promise.all(opened.map((one) => one.conversations.list('ada')))
      expect(listed.map(({ length }) => length)).to.deep.equal([2, 2])
      await Promise.all(opened.map((one) => one.close()))
      storage = await openStorage(place)
    })
  })
}
