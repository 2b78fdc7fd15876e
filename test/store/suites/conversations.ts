import { expect } from 'chai'
import type { StoredRecord } from '../../../src/agent/storage/index.ts'
import { conversationKey } from '../../../src/store/index.ts'
import { codeOf, entry, OWNER, type Stored, TALK } from '../stored.ts'

/** Conversations: a tree each, with an owner. */
export function conversationsSuite(stored: Stored): void {
  describe('conversations', () => {
    it('are created, loaded, changed and deleted', async () => {
      const made = await stored.create()
      expect(made).to.deep.equal({
        id: TALK,
        owner: OWNER,
        agent: 'a',
        sender: 's',
        metadata: {},
        createdAt: 1,
        updatedAt: 1,
      })
      expect(await stored.storage.conversations.load(OWNER, TALK)).to.deep.equal(made)
      const change = { title: 'T', metadata: { pinned: true } }
      const changed = await stored.storage.conversations.update(OWNER, TALK, change, 2)
      expect(changed).to.deep.equal({ ...made, ...change, updatedAt: 2 })
      const bare = await stored.storage.conversations.update(OWNER, TALK, { title: null }, 3)
      expect(bare).not.to.have.property('title')
      expect(await stored.storage.conversations.delete(OWNER, TALK)).to.equal(true)
      expect(await stored.storage.conversations.delete(OWNER, TALK)).to.equal(false)
      expect(await stored.storage.conversations.load(OWNER, TALK)).to.equal(undefined)
    })

    it('with an expiry are not listed, and are deleted from then on, whoever owns them', async () => {
      const { conversations } = stored.storage
      const about = { agent: 'a', sender: 's' }
      await stored.create()
      for (const owner of [OWNER, 'bob']) {
        await conversations.create({ id: 'short', owner, ...about, expiresAt: 10 }, 1)
        await conversations.create({ id: 'long', owner, ...about, expiresAt: 10 }, 1)
      }
      await conversations.append(OWNER, 'short', { entries: [entry('q')] }, 2)
      expect(await conversations.load(OWNER, 'short')).to.include({ expiresAt: 10, head: 'q' })
      const later = await conversations.update(OWNER, 'long', { expiresAt: 20 }, 2)
      expect(later).to.include({ expiresAt: 20 })
      expect((await conversations.list(OWNER)).map(({ id }) => id)).to.deep.equal([TALK])
      expect(await conversations.expire(10)).to.equal(0)
      expect(await conversations.expire(11)).to.equal(3)
      expect(await conversations.load(OWNER, 'short')).to.equal(undefined)
      const kept = await conversations.update(OWNER, 'long', { expiresAt: null }, 3)
      expect(kept).to.not.have.property('expiresAt')
      expect(await conversations.expire(100)).to.equal(0)
      const listed = (await conversations.list(OWNER)).map(({ id }) => id)
      expect(listed).to.have.members([TALK, 'long'])
      expect(await stored.storage.usage(OWNER)).to.include({ conversations: 2 })
    })

    it('are there once', async () => {
      await stored.create()
      expect(await codeOf(stored.create())).to.equal('CONVERSATION_EXISTS')
    })

    it('of two owners may have one id, and know nothing of each other', async () => {
      const { conversations, runs, files } = stored.storage
      const bytes = Uint8Array.of(1)
      const owners = [OWNER, 'bob']
      for (const owner of owners) {
        await stored.create(TALK, owner)
        await conversations.append(owner, TALK, { entries: [entry('same', `of ${owner}`)] }, 2)
        const begun = await stored.start(
          `run-${owner}`,
          { owner },
          { entries: [entry(`q-${owner}`)] },
        )
        expect(begun.outcome, 'active runs are counted by owner').to.equal('started')
        await files.put(owner, { mediaType: 'a/b', bytes }, TALK)
        await stored.storage.storageOf('memory', conversationKey(owner, TALK)).set('k', owner)
      }
      await conversations.update('bob', TALK, { title: 'Bob’s' }, 3)
      for (const owner of owners) {
        const history = await conversations.history(owner, TALK)
        expect(history.map(({ id }) => id)).to.deep.equal(['same', `q-${owner}`])
        expect(history[0]).to.have.nested.property('message.parts[0].text', `of ${owner}`)
        expect(await conversations.entries(owner, TALK)).to.have.length(2)
        expect(await runs.open(owner, TALK)).to.include({ id: `run-${owner}` })
        expect((await runs.list(owner, TALK)).map(({ id }) => id)).to.deep.equal([`run-${owner}`])
      }
      expect(await conversations.load(OWNER, TALK)).to.not.have.property('title')
      const head = conversations.update(OWNER, TALK, { head: 'q-bob' }, 3)
      expect(await codeOf(head)).to.equal('ENTRY_UNKNOWN')
      await conversations.delete('bob', TALK)
      expect(await runs.open(OWNER, TALK)).to.include({ id: `run-${OWNER}` })
      expect(await runs.load('bob', 'run-bob')).to.equal(undefined)
      expect(await conversations.entries(OWNER, TALK)).to.have.length(2)
      const values = owners.map((owner) =>
        stored.storage.storageOf('memory', conversationKey(owner, TALK)).get('k'),
      )
      expect(await Promise.all(values)).to.deep.equal([OWNER, undefined])
      const records: StoredRecord[] = []
      for await (const record of stored.storage.exportRecords(OWNER)) records.push(record)
      expect(records.filter(({ type }) => type === 'file')).to.have.length(1)
    })

    it('that wait are ended by a new run of their owner alone', async () => {
      for (const owner of [OWNER, 'bob']) {
        await stored.create(TALK, owner)
        await stored.start(`run-${owner}`, { owner })
        const end = { runId: `run-${owner}`, holder: 'h', status: 'suspended' } as const
        await stored.storage.runs.end({ ...end, events: [], entries: [] }, 20)
      }
      await stored.start('next')
      expect(await stored.storage.runs.load(OWNER, `run-${OWNER}`)).to.include({
        status: 'aborted',
      })
      expect(await stored.storage.runs.load('bob', 'run-bob')).to.include({ status: 'suspended' })
    })

    it('are nobody else’s to see, change or delete', async () => {
      await stored.create()
      const { conversations } = stored.storage
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
      await stored.create('1', OWNER, 1)
      await stored.create('2', OWNER, 2)
      const { conversations } = stored.storage
      expect((await conversations.latest(OWNER, 'a', 's'))?.id).to.equal('2')
      expect(await conversations.latest(OWNER, 'A', 's')).to.equal(undefined)
      expect(await conversations.latest(OWNER, 'a', 's ')).to.equal(undefined)
    })

    /** The ids of all pages of three, one after the other. */
    async function listed(before?: { updatedAt: number; id: string }): Promise<string[]> {
      const page = await stored.storage.conversations.list(OWNER, {
        limit: 3,
        ...(before ? { before } : {}),
      })
      const ids = page.map(({ id }) => id)
      return page.length < 3 ? ids : [...ids, ...(await listed(page[2]))]
    }

    it('are listed page by page, the last updated first', async () => {
      const times = [5, 5, 5, 5, 4, 5, 6]
      for (const [at, time] of times.entries()) await stored.create(`c${at}`, OWNER, time)
      expect(await listed()).to.deep.equal(['c6', 'c5', 'c3', 'c2', 'c1', 'c0', 'c4'])
    })
  })
}
