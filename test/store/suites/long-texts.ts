import { expect } from 'chai'
import { openStorage } from '../../../src/store/index.ts'
import { HAS_ALL_CASES, sampled } from '../../helpers/cases.ts'
import { entry, OWNER, outcomeOf, type Stored, TALK } from '../stored.ts'

/** Texts around the ends of the pieces that a database keeps them in, with signs that stand across an end. */
const TEXTS = sampled(
  ['x', 'é', '😀'].flatMap((sign) =>
    [0, 1, 2].flatMap((shift) =>
      [1000, 65_400, 200_000].map((size) => 'a'.repeat(shift) + sign.repeat(size)),
    ),
  ),
  4,
)

/** How often what depends on the moment is tried. */
const TIMES = HAS_ALL_CASES ? 5 : 2

/** What messages and runs say at length. */
export function longTextsSuite(stored: Stored): void {
  describe('long texts', () => {
    beforeEach(() => stored.create())

    it('of messages are whole, also in a storage that took them over', async () => {
      const entries = TEXTS.map((text, index) => entry(`e${index}`, text))
      await stored.storage.conversations.append(OWNER, TALK, { entries }, 2)
      const other = await openStorage(stored.newPlace())
      await other.importRecords(stored.storage.exportRecords(OWNER))
      for (const { conversations } of [stored.storage, other]) {
        for (const kept of [
          await conversations.history(OWNER, TALK),
          await conversations.entries(OWNER, TALK),
        ]) {
          const texts = kept.map((one) => one.kind === 'message' && one.message.parts[0])
          expect(texts).to.deep.equal(TEXTS.map((text) => ({ type: 'text', text })))
        }
      }
      const size = await stored.storage.conversations.size(OWNER, TALK)
      expect(size).to.be.above(TEXTS.reduce((sum, text) => sum + Buffer.byteLength(text), 0))
      expect(await other.conversations.size(OWNER, TALK)).to.equal(size)
      await other.close()
      await stored.storage.conversations.delete(OWNER, TALK)
      expect(await stored.storage.usage(OWNER)).to.include({ bytes: 0 })
    })

    it('of the order of a run are whole, however it is read', async () => {
      const { runs } = stored.storage
      const order = { tools: TEXTS }
      const started = await stored.start('r1', { order, idempotencyKey: 'k' })
      expect(started.run.order).to.deep.equal(order)
      const read = [
        await runs.load(OWNER, 'r1'),
        await runs.open(OWNER, TALK),
        await runs.last(OWNER, TALK),
        (await runs.list(OWNER, TALK))[0],
        (await stored.start('r2')).run,
        (await stored.start('r3', { idempotencyKey: 'k' })).run,
        await runs.seize(OWNER, 'r1', stored.lease('n')),
      ]
      for (const run of read) expect(run?.order).to.deep.equal(order)
      const other = await openStorage(stored.newPlace())
      await other.importRecords(stored.storage.exportRecords(OWNER))
      expect((await other.runs.load(OWNER, 'r1'))?.order).to.deep.equal(order)
      await other.close()
      await runs.delete(OWNER, 'r1')
      expect(await runs.load(OWNER, 'r1')).to.equal(undefined)
    })

    it('are whole or gone where they are deleted while they are read', async () => {
      const { conversations, runs } = stored.storage
      const long = 'x'.repeat(3_000_000)
      for (let time = 0; time < TIMES; time++) {
        await stored.create(`t${time}`)
        const entries = [entry(`e${time}`, long)]
        await conversations.append(OWNER, `t${time}`, { entries }, 2)
        const reading = outcomeOf(conversations.entries(OWNER, `t${time}`))
        const [read] = await Promise.all([reading, conversations.delete(OWNER, `t${time}`)])
        if (typeof read === 'string') expect(read).to.equal('CONVERSATION_UNKNOWN')
        else expect(read).to.have.nested.property('0.message.parts[0].text.length', long.length)
        const id = `r${time}`
        await stored.start(id, { order: { long }, conversationId: undefined })
        const [run] = await Promise.all([runs.load(OWNER, id), runs.delete(OWNER, id)])
        expect(run?.order ?? { long }).to.deep.equal({ long })
      }
    })
  })
}
