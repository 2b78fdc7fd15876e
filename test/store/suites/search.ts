import { expect } from 'chai'
import type { NewEntry } from '../../../src/agent/storage/index.ts'
import { wordsIn } from '../../../src/agent/storage/index.ts'
import type { Message } from '../../../src/plugin/index.ts'
import { entry, OWNER, type Stored, TALK } from '../stored.ts'

/** Searches for what was said in conversations. */
export function searchSuite(stored: Stored): void {
  describe('a search for what was said', () => {
    /** The ids of the entries that a search finds in conversations. */
    async function found(
      search: string,
      ids: readonly string[] = [TALK],
      owner = OWNER,
    ): Promise<readonly string[]> {
      const { conversations } = stored.storage
      const all = await Promise.all(ids.map((id) => conversations.load(owner, id)))
      const there = all.flatMap((one) => one ?? [])
      const entries: string[] = []
      for await (const one of conversations.search(owner, there, wordsIn(search))) {
        entries.push(`${one.conversationId} ${one.entry.id}`)
      }
      return entries
    }

    async function say(texts: readonly string[], id = TALK, owner = OWNER): Promise<void> {
      await stored.create(id, owner)
      const entries = texts.map((text, at) => entry(`${at}`, text))
      await stored.storage.conversations.append(owner, id, { entries }, 2)
    }

    it('finds the last message with all of its words, in any case and language', async () => {
      await say([
        'Über die STRASSE',
        'über  die\nStraße gehen',
        'Ὀδυσσεύς kam',
        'nothing',
        '日本語',
      ])
      for (const search of ['straße', 'STRASSE', 'ÜBER', 'gehen über', 'die straße gehen']) {
        expect(await found(search), search).to.deep.equal(['talk 1'])
      }
      expect(await found('STRASSE über')).to.deep.equal(['talk 1'])
      expect(await found('ὈΔΥΣΣΕΎΣ')).to.deep.equal(['talk 2'])
      expect(await found('本語')).to.deep.equal(['talk 4'])
      expect(await found('u\u0308ber')).to.deep.equal(['talk 1'])
      expect(await found('über nothing')).to.deep.equal([])
    })

    it('takes every character as it is', async () => {
      const texts = [
        '100% sure',
        'a_b',
        "it's",
        'say "no" OR yes*',
        'a\\b',
        '?1 $1 :a @a',
        'NEAR(x)',
      ]
      await say(texts)
      for (const [at, text] of texts.entries()) {
        expect(await found(text), text).to.deep.equal([`talk ${at}`])
      }
      for (const search of ['%', '_', "'", '"', '*', '\\', '?1', '$1', 'near(']) {
        expect(await found(search), search).to.have.length(1)
      }
      for (const search of ["' OR 1=1 --", '1%0', 'a.b', '"; DROP TABLE entries; --', '\0']) {
        expect(await found(`x${search}y`), search).to.deep.equal([])
      }
    })

    it('finds nothing in what nobody said', async () => {
      const part = (text: string): Message['parts'] => [{ type: 'text', text }]
      const messages: readonly Message[] = [
        { role: 'system', parts: part('secret') },
        { role: 'user', parts: part('secret'), metadata: { insertedBy: 'host' } },
        { role: 'assistant', parts: [{ type: 'reasoning', text: 'secret' }] },
        { role: 'assistant', parts: part('known') },
      ]
      await stored.create()
      const entries = messages.map(
        (message, at): NewEntry => ({ kind: 'message', id: `${at}`, message }),
      )
      await stored.storage.conversations.append(OWNER, TALK, { entries }, 2)
      expect(await found('secret')).to.deep.equal([])
      expect(await found('known')).to.deep.equal(['talk 3'])
    })

    it('looks only at the history, not at other branches', async () => {
      await say(['one', 'two', 'three'])
      const other = { entries: [entry('b', 'other')], parent: '0' }
      await stored.storage.conversations.append(OWNER, TALK, other, 3)
      expect(await found('two')).to.deep.equal([])
      expect(await found('o')).to.deep.equal(['talk b'])
      expect(await found('one')).to.deep.equal(['talk 0'])
    })

    it('keeps to the conversations of their owner that it is given, in their order', async () => {
      await say(['hello ada'], 'a')
      await say(['hello again'], 'b')
      await say(['hello bob'], 'a', 'bob')
      expect(await found('hello', ['b', 'a'])).to.deep.equal(['b 0', 'a 0'])
      expect(await found('hello', ['a'])).to.deep.equal(['a 0'])
      expect(await found('hello', ['a', 'b'], 'bob')).to.deep.equal(['a 0'])
      expect(await found('again', ['a', 'b'], 'bob')).to.deep.equal([])
    })

    it('finds words in a long text, and none across two messages', async () => {
      const long = `${'é '.repeat(40_000)}needle${' ü'.repeat(40_000)}`
      await say([long, 'hay', 'stack'])
      expect(await found('needle')).to.deep.equal(['talk 0'])
      expect(await found('hay stack')).to.deep.equal([])
    })

    it('finds words at the beginning of a very long message alone, over all of its texts', async () => {
      await say([`${'é '.repeat(60_000)}needle ${'ü '.repeat(60_000)}hay`])
      expect(await found('needle')).to.deep.equal(['talk 0'])
      expect(await found('hay')).to.deep.equal([])
    })

    it('finds nothing in conversations that were deleted, and all in those that were taken over', async () => {
      await say(['hello'])
      const records = []
      for await (const record of stored.storage.exportRecords(OWNER)) records.push(record)
      await stored.storage.conversations.delete(OWNER, TALK)
      const gone = stored.storage.conversations.search(OWNER, [{ id: TALK, head: '0' }], ['hello'])
      for await (const one of gone) expect.fail(`found ${one.entry.id}`)
      await stored.create()
      expect(await found('hello')).to.deep.equal([])
      await stored.storage.conversations.delete(OWNER, TALK)
      await stored.storage.importRecords(records)
      expect(await found('hello')).to.deep.equal(['talk 0'])
    })
  })
}
