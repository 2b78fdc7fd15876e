import { expect } from 'chai'
import type { Approval } from '../../../src/agent/storage/index.ts'
import type { LateAnswerEvent } from '../../../src/plugin/events/index.ts'
import { openStorage } from '../../../src/store/index.ts'
import { entry, events, OWNER, type Stored, TALK } from '../stored.ts'

const APPROVAL: Approval = {
  id: 'p',
  owner: OWNER,
  runId: 'r',
  conversationId: TALK,
  callId: 'c',
  tool: 't',
  input: {},
  binding: 'b',
  requestedAt: 1,
  expiresAt: 100,
}

/** Writes whose outcome was not known, and what a run's end stores at once. */
export function repeatedWritesSuite(stored: Stored): void {
  describe('a repeated write', () => {
    beforeEach(async () => {
      await stored.create()
      await stored.start('r')
    })

    /** What an import of the same records counts is what is counted. */
    async function expectCounted(): Promise<void> {
      const other = await openStorage(stored.newPlace())
      try {
        await other.importRecords(stored.storage.exportRecords())
        const counted = await stored.storage.usage(OWNER)
        expect(counted).to.deep.equal(await other.usage(OWNER))
      } finally {
        await other.close()
      }
    }

    it('of events stores and counts them once, beside new events of another run', async () => {
      const { runs } = stored.storage
      await stored.start('other', { conversationId: undefined })
      const first = { runId: 'r', events: events('r', 0, 3) }
      expect(await runs.append('h', [first])).to.deep.equal([])
      const second = { runId: 'other', events: events('other', 0, 2) }
      expect(await runs.append('h', [first, second])).to.deep.equal([])
      expect(await runs.events(OWNER, 'r')).to.deep.equal(first.events)
      expect(await runs.events(OWNER, 'other')).to.deep.equal(second.events)
      expect(await runs.load(OWNER, 'r')).to.include({ nextSeq: 3 })
      await expectCounted()
      expect(await runs.append('nobody', [first])).to.deep.equal(['r'])
    })

    it('of a late answer stores it once', async () => {
      const { runs } = stored.storage
      const end = { runId: 'r', holder: 'h', status: 'aborted', entries: [] } as const
      await runs.end({ ...end, events: events('r', 0, 1) }, 20)
      const result = { type: 'tool-result', callId: 'c', name: 't', output: 'late' } as const
      const late: LateAnswerEvent = {
        type: 'tool-execution-late',
        callId: 'c',
        result,
        state: 'succeeded',
      }
      expect(await runs.addLate(OWNER, 'r', late, 30)).to.equal(true)
      expect(await runs.addLate(OWNER, 'r', late, 31)).to.equal(true)
      expect(await runs.events(OWNER, 'r')).to.have.length(2)
      const other = { ...late, callId: 'd', result: { ...result, callId: 'd' } }
      expect(await runs.addLate(OWNER, 'r', other, 32)).to.equal(true)
      expect(await runs.events(OWNER, 'r')).to.have.length(3)
      await expectCounted()
    })

    it('of an end stores its approvals once, with the status and the entries', async () => {
      const { runs, approvals } = stored.storage
      const end = {
        runId: 'r',
        holder: 'h',
        status: 'suspended',
        events: events('r', 0, 1),
        entries: [entry('e')],
        approvals: [APPROVAL, { ...APPROVAL, id: 'q' }],
      } as const
      expect(await runs.end({ ...end, holder: 'nobody' }, 20)).to.equal(false)
      expect(await approvals.list(OWNER, 'r')).to.deep.equal([])
      expect(await runs.end(end, 20)).to.equal(true)
      expect(await runs.end(end, 21)).to.equal(false)
      expect(await approvals.list(OWNER, 'r')).to.deep.equal(end.approvals)
      await expectCounted()
    })

    it('of an answer to an approval counts it once', async () => {
      const { approvals } = stored.storage
      await stored.suspend('r', [APPROVAL])
      const answer = { approved: true, value: 'x'.repeat(1000), answeredAt: 2 }
      await approvals.answer(OWNER, 'p', answer)
      await approvals.answer(OWNER, 'p', answer)
      await expectCounted()
    })
  })
}
