import { expect } from 'chai'
import type { NewEntry } from '../../../src/agent/storage/index.ts'
import { codeOf, entry, OWNER, type Stored, TALK } from '../stored.ts'

/** Entries of a conversation: the nodes of its tree. */
export function entriesSuite(stored: Stored): void {
  describe('entries', () => {
    const idsOf = async (at?: string) =>
      (await stored.storage.conversations.history(OWNER, TALK, at)).map(({ id }) => id)

    beforeEach(() => stored.create())

    it('form a tree, whose path from the root to the head is the history', async () => {
      const { conversations } = stored.storage
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
      await stored.storage.conversations.append(OWNER, TALK, { entries: [given] }, 2)
      const [kept] = await stored.storage.conversations.history(OWNER, TALK)
      expect(kept).to.deep.equal({ ...given, seq: 0, createdAt: 2 })
      const text = JSON.stringify(kept?.kind === 'message' && kept.message)
      expect(text).to.equal(JSON.stringify(given.kind === 'message' && given.message))
    })

    it('that were copied keep the run that they come from', async () => {
      const origin = { runId: 'r', conversationId: 'other', agent: 'a', createdAt: 1 }
      const given = { ...entry('1'), origin }
      await stored.storage.conversations.append(OWNER, TALK, { entries: [given] }, 2)
      const [kept] = await stored.storage.conversations.history(OWNER, TALK)
      expect(kept).to.deep.equal({ ...given, seq: 0, createdAt: 2 })
      expect(await stored.storage.conversations.lastOf(OWNER, TALK, 'r')).to.equal(undefined)
    })

    it('are refused for a conversation that was deleted, and whose id a new one has', async () => {
      const { conversations, files } = stored.storage
      await conversations.append(OWNER, TALK, { entries: [entry('1')], createdAt: 1 }, 2)
      const file = { mediaType: 'a/b', bytes: Uint8Array.of(1, 2) }
      const hash = await files.put(OWNER, file, TALK, 1)
      await conversations.delete(OWNER, TALK)
      const late = { entries: [entry('2')], createdAt: 1 }
      for (const isThere of [false, true]) {
        if (isThere) await stored.create(TALK, OWNER, 7)
        const append = conversations.append(OWNER, TALK, late, 8)
        expect(await codeOf(append)).to.equal('CONVERSATION_UNKNOWN')
        expect(await codeOf(files.put(OWNER, file, TALK, 1))).to.equal('CONVERSATION_UNKNOWN')
        expect(await files.has(OWNER, hash)).to.equal(false)
      }
      expect(await conversations.entries(OWNER, TALK)).to.deep.equal([])
      await conversations.append(OWNER, TALK, { ...late, createdAt: 7 }, 8)
      expect(await idsOf()).to.deep.equal(['2'])
    })

    it('that are there already are passed over', async () => {
      const { conversations } = stored.storage
      await conversations.append(OWNER, TALK, { entries: [entry('1'), entry('2')] }, 2)
      const again = { entries: [entry('2', 'other'), entry('3')], parent: '1' }
      await conversations.append(OWNER, TALK, again, 3)
      expect(await idsOf()).to.deep.equal(['1', '2', '3'])
      const [, second] = await conversations.history(OWNER, TALK)
      expect(second).to.have.nested.property('message.parts[0].text', '2')
    })

    it('may be markers of compactions', async () => {
      const marker: NewEntry = { kind: 'compaction', id: 'm', summary: 'S', archive: 'hash' }
      await stored.storage.conversations.append(OWNER, TALK, { entries: [marker] }, 2)
      const [kept] = await stored.storage.conversations.history(OWNER, TALK)
      expect(kept).to.deep.equal({ ...marker, seq: 0, createdAt: 2 })
    })

    it('are found by the ids of their messages, on every branch', async () => {
      const { conversations } = stored.storage
      const own: NewEntry = {
        kind: 'message',
        id: '1',
        message: { id: 'own', role: 'user', parts: [] },
      }
      const marker: NewEntry = { kind: 'compaction', id: 'm', summary: 'S', archive: 'hash' }
      const many = Array.from({ length: 40 }, (_, at) => entry(`many${at}`))
      await conversations.append(OWNER, TALK, { entries: [own, entry('2'), marker] }, 2)
      await conversations.append(OWNER, TALK, { entries: many, parent: '1' }, 3)
      const ids = ['own', '1', '2', 'm', 'x', ...many.map(({ id }) => id)]
      const known = await conversations.knownMessages(OWNER, TALK, ids)
      expect([...known].sort()).to.deep.equal(['own', '2', ...many.map(({ id }) => id)].sort())
      expect([...(await conversations.knownMessages(OWNER, TALK, []))]).to.deep.equal([])
      expect(await codeOf(conversations.knownMessages(OWNER, 'x', ids))).to.equal(
        'CONVERSATION_UNKNOWN',
      )
    })

    it('are refused below what is not there, all of them', async () => {
      const append = { entries: [entry('1')], parent: 'nowhere' }
      const { conversations } = stored.storage
      expect(await codeOf(conversations.append(OWNER, TALK, append, 2))).to.equal('ENTRY_UNKNOWN')
      expect(await conversations.entries(OWNER, TALK)).to.deep.equal([])
      expect(await codeOf(conversations.history(OWNER, TALK, 'x'))).to.equal('ENTRY_UNKNOWN')
      const head = conversations.update(OWNER, TALK, { head: 'x' }, 2)
      expect(await codeOf(head)).to.equal('ENTRY_UNKNOWN')
    })

    it('are numbered without gaps, whoever appends at once', async () => {
      const all = Array.from({ length: 20 }, (_, at) => entry(`e${at}`))
      await Promise.all(
        all.map((one) => stored.storage.conversations.append(OWNER, TALK, { entries: [one] }, 2)),
      )
      const kept = await stored.storage.conversations.entries(OWNER, TALK)
      expect(kept.map(({ seq }) => seq)).to.deep.equal(all.map((_, at) => at))
      expect(await idsOf()).to.have.length(20)
    })
  })
}
