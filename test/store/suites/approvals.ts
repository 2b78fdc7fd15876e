import { expect } from 'chai'
import type { Approval } from '../../../src/agent/storage/index.ts'
import { OWNER, type Stored, TALK } from '../stored.ts'

/** Approvals that runs wait for. */
export function approvalsSuite(stored: Stored): void {
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
      await stored.create()
      await stored.start('r1')
    })

    it('are listed by their run, in order', async () => {
      const others = ['a', 'z', 'b'].map((id) => ({ ...approval, id }))
      await stored.suspend('r1', others)
      await stored.storage.runs.resume(OWNER, 'r1', stored.lease())
      await stored.suspend('r1', [{ ...approval, id: '0', requestedAt: 6 }])
      const listed = await stored.storage.approvals.list(OWNER, 'r1')
      expect(listed.map(({ id }) => id)).to.deep.equal(['a', 'z', 'b', '0'])
      expect(listed[0]).to.deep.equal(others[0])
      expect(await stored.storage.approvals.list(OWNER, 'x')).to.deep.equal([])
      expect(await stored.storage.approvals.list('bob', 'r1')).to.deep.equal([])
    })

    it('take the first answer of their owner, and none that comes too late', async () => {
      const late = { ...approval, id: 'late' }
      await stored.suspend('r1', [approval, late])
      const yes = { approved: true, answeredAt: 50 }
      const no = { approved: false, reason: 'no', answeredAt: 51 }
      expect(await stored.storage.approvals.answer('bob', 'p', yes)).to.equal(undefined)
      expect(await stored.storage.approvals.answer(OWNER, 'p', yes)).to.deep.equal({
        ...approval,
        answer: yes,
      })
      expect((await stored.storage.approvals.answer(OWNER, 'p', no))?.answer).to.deep.equal(yes)
      const after = { approved: true, answeredAt: 100 }
      expect(await stored.storage.approvals.answer(OWNER, 'late', after)).to.equal(undefined)
      expect((await stored.storage.approvals.load(OWNER, 'late'))?.answer).to.equal(undefined)
      expect(await stored.storage.approvals.answer(OWNER, 'x', yes)).to.equal(undefined)
    })

    it('CT-31 keep that they ask a question, and any JSON as its answer', async () => {
      const values = ['blue', 0, false, null, { size: [1, 2] }]
      const questions = values.map((_, at): Approval => {
        return { ...approval, id: `q${at}`, input: { question: 'Which?' }, isQuestion: true }
      })
      await stored.suspend('r1', questions)
      for (const [at, value] of values.entries()) {
        const answer = { approved: true, value, answeredAt: 50 }
        await stored.storage.approvals.answer(OWNER, `q${at}`, answer)
      }
      const listed = await stored.storage.approvals.list(OWNER, 'r1')
      expect(listed.map(({ isQuestion, answer }) => [isQuestion, answer?.value])).to.deep.equal(
        values.map((value) => [true, value]),
      )
    })

    it('are answered once, however many answer at once', async () => {
      await stored.suspend('r1', [approval])
      const answers = await Promise.all(
        [true, false, true, false].map((approved, at) =>
          stored.storage.approvals.answer(OWNER, 'p', { approved, answeredAt: 50 + at }),
        ),
      )
      const given = new Set(answers.map((one) => JSON.stringify(one?.answer)))
      expect(given.size).to.equal(1)
    })

    it('name the runs that may go on: answered, and nothing open', async () => {
      const { runs, approvals } = stored.storage
      const ready = async (now: number) => (await runs.answered(now)).map(({ id }) => id)
      for (const id of ['r2', 'r3', 'r4']) {
        await stored.create(id)
        await stored.start(id, { conversationId: id })
      }
      const asked = (runId: string, id: string) => ({ ...approval, runId, id })
      const yes = { approved: true, answeredAt: 50 }
      await stored.suspend('r3', [asked('r3', 'p4')])
      await approvals.answer(OWNER, 'p4', yes)
      expect(await ready(60)).to.deep.equal(['r3'])
      await runs.resume(OWNER, 'r3', stored.lease())
      expect(await ready(60)).to.deep.equal([])
      await stored.suspend('r1', [asked('r1', 'p1'), asked('r1', 'p2')])
      await stored.suspend('r2', [asked('r2', 'p3')])
      await stored.suspend('r4', [])
      await approvals.answer(OWNER, 'p1', yes)
      expect(await ready(60)).to.deep.equal([])
      // The other approval of r1 has expired; of r2, nobody has said anything.
      expect(await ready(100)).to.deep.equal(['r1'])
      await approvals.answer(OWNER, 'p3', { approved: false, answeredAt: 70 })
      await approvals.answer(OWNER, 'p2', { approved: false, answeredAt: 70 })
      expect((await ready(80)).toSorted()).to.deep.equal(['r1', 'r2'])
      expect((await runs.answered(80))[0]).to.include({ status: 'suspended', owner: OWNER })
      await runs.resume(OWNER, 'r1', stored.lease('n'))
      expect(await ready(80)).to.deep.equal(['r2'])
    })

    it('go with their conversation', async () => {
      await stored.suspend('r1', [approval])
      await stored.storage.conversations.delete(OWNER, TALK)
      expect(await stored.storage.approvals.load(OWNER, 'p')).to.equal(undefined)
    })
  })
}
