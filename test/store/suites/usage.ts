import { expect } from 'chai'
import type { Storage } from '../../../src/agent/storage/index.ts'
import { conversationKey, openStorage } from '../../../src/store/index.ts'
import { entry, events, OWNER, type Stored, TALK } from '../stored.ts'

/** Something of each kind that an owner may store. */
export async function storeOfEach(stored: Stored): Promise<void> {
  const { storage } = stored
  await stored.create()
  await storage.conversations.update(OWNER, TALK, { title: 'Tît', metadata: { a: '✓' } }, 2)
  await stored.start('r1', { idempotencyKey: 'k' }, { entries: [entry('q'), entry('a')] })
  await storage.runs.append('h', [{ runId: 'r1', events: events('r1', 0, 5) }])
  const approval = { id: 'p', owner: OWNER, runId: 'r1', callId: 'c', tool: 't', input: {} }
  const approvals = [
    { ...approval, binding: 'b', requestedAt: 1, expiresAt: 2 },
    { ...approval, id: 'p2', binding: 'b', requestedAt: 1, expiresAt: 2 },
  ]
  const end = { runId: 'r1', holder: 'h', status: 'done', events: events('r1', 5, 2) } as const
  await storage.runs.end({ ...end, entries: [entry('e')], approvals }, 20)
  await stored.start('alone', { conversationId: undefined })
  await storage.files.put(OWNER, { mediaType: 'a/b', bytes: new Uint8Array(1000) }, TALK)
  await storage.files.put(OWNER, { mediaType: 'a/b', bytes: new Uint8Array(500) })
  await storage.settings.save(OWNER, { temperature: 1 }, 1)
  await storage.settings.save(OWNER, { temperature: 0.5 }, 1)
  await storage.storageOf('memory', conversationKey(OWNER, TALK)).set('k', { v: 1 })
  await storage.storageOf('memory', OWNER).set('k', 'own')
  await storage.storageOf('memory', OWNER).set('k', 'own, longer')
  const common = { owner: OWNER, name: 'n', updatedAt: 1 }
  await storage.agents.upsert({ ...common, id: '1', spec: { model: 'm' } })
  await storage.documents.save({ ...common, kind: 'skill', content: ['x'] })
}

async function deleteAll({ storage }: Stored): Promise<void> {
  const { conversations, runs, files, settings, agents, documents } = storage
  await runs.delete(OWNER, 'alone')
  await conversations.delete(OWNER, TALK)
  const kept = await files.put(OWNER, { mediaType: 'a/b', bytes: new Uint8Array(500) })
  await files.delete(OWNER, kept)
  await settings.delete(OWNER)
  await storage.storageOf('memory', OWNER).delete('k')
  await agents.delete(OWNER, '1')
  await documents.delete(OWNER, 'skill', 'n')
}

/** How much is stored for whom. */
export function usageSuite(stored: Stored): void {
  describe('usage', () => {
    const bytesOf = async () => (await stored.storage.usage(OWNER)).bytes

    it('counts all that an owner stores, and nothing of it once it is deleted', async () => {
      const nothing = { bytes: 0, conversations: 0, files: 0 }
      expect(await stored.storage.usage(OWNER)).to.deep.equal(nothing)
      await storeOfEach(stored)
      await stored.create('bobs', 'bob')
      const usage = await stored.storage.usage(OWNER)
      expect(usage).to.include({ conversations: 1, files: 2 })
      expect(usage.bytes).to.be.within(2000, 5000)
      expect(await stored.storage.usage('bob')).to.include({ conversations: 1, files: 0 })
      await deleteAll(stored)
      expect(await stored.storage.usage(OWNER)).to.deep.equal(nothing)
      expect(await stored.storage.conversations.size(OWNER, TALK)).to.equal(0)
    })

    it('is the same in a storage that took all of it over', async () => {
      await storeOfEach(stored)
      const other: Storage = await openStorage(stored.newPlace())
      try {
        const { conversations } = stored.storage
        await other.importRecords(stored.storage.exportRecords())
        expect(await other.usage(OWNER)).to.deep.equal(await stored.storage.usage(OWNER))
        const size = await conversations.size(OWNER, TALK)
        expect(size).to.be.above(100)
        expect(await other.conversations.size(OWNER, TALK)).to.equal(size)
        await other.importRecords(stored.storage.exportRecords())
        expect(await other.usage(OWNER)).to.deep.equal(await stored.storage.usage(OWNER))
      } finally {
        await other.close()
      }
    })

    it('grows by what is added, and by nothing that was there', async () => {
      await stored.create()
      const { conversations } = stored.storage
      const before = await bytesOf()
      await conversations.append(OWNER, TALK, { entries: [entry('1', 'x'.repeat(1000))] }, 2)
      const after = await bytesOf()
      expect(after - before).to.be.within(1000, 1300)
      expect(await conversations.size(OWNER, TALK)).to.be.within(1000, 1300)
      await conversations.append(OWNER, TALK, { entries: [entry('1', 'x'.repeat(1000))] }, 2)
      expect(await bytesOf()).to.equal(after)
      await stored.start('r')
      await stored.storage.runs.append('h', [{ runId: 'r', events: events('r', 0, 100) }])
      const end = { runId: 'r', holder: 'h', status: 'done', events: [], entries: [] } as const
      await stored.storage.runs.end(end, 20)
      const unpruned = await bytesOf()
      await stored.storage.runs.prune(100, 100)
      expect(await bytesOf()).to.be.below(unpruned - 2000)
      await stored.storage.runs.delete(OWNER, 'r')
      expect(await bytesOf()).to.equal(after)
    })

    it('has files once for each conversation that they are shared with', async () => {
      await stored.create()
      await stored.create('branch')
      const { files, conversations } = stored.storage
      const hash = await files.put(OWNER, { mediaType: 'a/b', bytes: new Uint8Array(9) }, TALK)
      await files.share(OWNER, TALK, 'branch')
      await files.share(OWNER, TALK, 'branch')
      expect(await stored.storage.usage(OWNER)).to.include({ files: 2 })
      await conversations.delete(OWNER, TALK)
      expect((await files.load(OWNER, hash))?.bytes).to.have.length(9)
      await conversations.delete(OWNER, 'branch')
      expect(await files.load(OWNER, hash)).to.equal(undefined)
      expect(await stored.storage.usage(OWNER)).to.include({ files: 0 })
    })
  })
}
