import { expect } from 'chai'
import { checkRecord } from '../../../src/agent/storage/check-record.ts'
import type { Storage, StoredRecord } from '../../../src/agent/storage/index.ts'
import { conversationKey, openStorage } from '../../../src/store/index.ts'
import { sampled } from '../../helpers/cases.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { entry, events, OWNER, type Stored, TALK } from '../stored.ts'

/** All that is stored, as records that another storage takes over. */
export function recordsSuite(stored: Stored): void {
  describe('exports and imports', () => {
    async function fill(): Promise<void> {
      await stored.create()
      await stored.create('bobs', 'bob')
      const short = { id: 'short', owner: 'bob', agent: 'a', sender: 's', expiresAt: 9 }
      await stored.storage.conversations.create(short, 1)
      await stored.start('r1', { idempotencyKey: 'k' }, { entries: [entry('q'), entry('a')] })
      await stored.storage.runs.append('h', [{ runId: 'r1', events: events('r1', 0, 5) }])
      await stored.suspend('r1', [
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
      await stored.storage.runs.resume(OWNER, 'r1', stored.lease())
      const shared = { key: 'k', value: [1], version: 0, agent: 'a' }
      await stored.storage.shared.write(OWNER, 'r1', shared)
      await stored.storage.files.put(
        OWNER,
        { mediaType: 'a/b', bytes: Uint8Array.of(0, 255) },
        TALK,
      )
      await stored.storage.settings.save(OWNER, { temperature: 1 }, 1)
      await stored.storage.storageOf('memory', conversationKey(OWNER, TALK)).set('k', { v: 1 })
      await stored.storage.storageOf('memory', conversationKey('bob', 'bobs')).set('k', 3)
      await stored.storage.storageOf('memory').set('k', 2)
      const common = { owner: OWNER, name: 'n', updatedAt: 1 }
      await stored.storage.agents.upsert({ ...common, id: '1', spec: {} })
      await stored.storage.documents.save({ ...common, kind: 'skill', content: null })
    }

    async function all(of: Storage, owner?: string): Promise<StoredRecord[]> {
      const records: StoredRecord[] = []
      for await (const record of of.exportRecords(owner)) records.push(record)
      return records
    }

    it('all that there is, as lines that another storage takes over', async () => {
      await fill()
      const records = await all(stored.storage)
      const lines = records.map((record) => JSON.stringify(record))
      for (const line of lines) await checkRecord(JSON.parse(line))
      const other = await openStorage('memory')
      const parsed = lines.map((line) => JSON.parse(line) as StoredRecord)
      expect(await other.importRecords(parsed)).to.equal(records.length)
      expect(await all(other)).to.have.deep.members(records)
      expect(await stored.storage.importRecords(parsed)).to.equal(0)
      const fresh = await openStorage(stored.newPlace())
      expect(await fresh.importRecords(parsed)).to.equal(records.length)
      expect(await all(fresh)).to.have.deep.members(records)
      const history = await fresh.conversations.history(OWNER, TALK)
      expect(history.map(({ id }) => id)).to.deep.equal(['q', 'a'])
      // Whoever imports it is not the process that wrote it.
      expect((await fresh.runs.leases()).map(({ holder }) => holder)).to.deep.equal([''])
      await fresh.close()
    })

    it('what another storage takes over, whatever is stored while it is exported', async () => {
      await fill()
      const before = await all(stored.storage)
      const numbers = before.map((_, at) => at + 1)
      for (const [at, number] of sampled(numbers, 4).entries()) {
        const [id, run] = [`talk ${number}`, `run ${number}`]
        const records: StoredRecord[] = []
        for await (const record of stored.storage.exportRecords()) {
          if (records.push(record) !== number) continue
          await stored.create(id)
          const entries = [entry('new')]
          await stored.start(run, { conversationId: id }, { entries })
          await stored.storage.runs.append('h', [
            { runId: run, events: events(run, 0, 2) },
            { runId: 'r1', events: events('r1', 5 + at, 1) },
          ])
        }
        const other = await openStorage(stored.newPlace())
        expect(await other.importRecords(records)).to.be.at.least(before.length)
        const told = await other.runs.events(OWNER, 'r1')
        expect((await other.runs.load(OWNER, 'r1'))?.nextSeq).to.equal(told.length)
        await other.close()
        await stored.storage.conversations.delete(OWNER, id)
      }
    })

    it('nothing that comes before what it is a part of', async () => {
      await fill()
      const records = await all(stored.storage)
      const ofRuns = { event: 'run', approval: 'run', shared: 'run' }
      const parts = { entry: 'conversation', run: 'conversation', ...ofRuns }
      for (const [type, parent] of Object.entries(parts)) {
        const other = await openStorage(stored.newPlace())
        const lost = other.importRecords(records.filter((record) => record.type === type))
        const { code, message } = await errorOf(lost)
        expect(code).to.equal('REQUEST_INVALID')
        expect(message).to.include(`"${type}" belongs to the ${parent} "`)
        expect(await all(other)).to.deep.equal([])
        await other.close()
      }
    })

    it('nothing of a list that is cut, foreign or without the head of a conversation', async () => {
      await fill()
      const records = await all(stored.storage)
      const marked = [{ type: 'export' }, ...records, { type: 'end', records: records.length }]
      const isHead = (one: object) => 'entry' in one && (one.entry as { id: string }).id === 'a'
      const other = await openStorage(stored.newPlace())
      for (const [list, reason] of [
        [marked.slice(0, -1), 'The export is not complete'],
        [marked.toSpliced(1, 1), 'The export is not complete'],
        [records.filter((record) => !isHead(record)), 'has the head "a"'],
        [[...records, { type: 'photo' }], 'the value is not a storage record'],
        [[...records, { type: 'settings', owner: 1, layer: {} }], '"owner" must be'],
      ] as const) {
        const { code, message } = await errorOf(other.importRecords(list as StoredRecord[]))
        expect(code).to.equal('REQUEST_INVALID')
        expect(message).to.include(reason)
        expect(await all(other)).to.deep.equal([])
      }
      expect(await other.importRecords(marked as StoredRecord[])).to.equal(records.length)
      await other.close()
    })

    it('what is one owner’s alone', async () => {
      await fill()
      const records = await all(stored.storage, 'bob')
      expect(records.map(({ type }) => type)).to.deep.equal([
        'conversation',
        'conversation',
        'value',
      ])
    })
  })
}
