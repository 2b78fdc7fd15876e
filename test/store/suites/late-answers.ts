import { expect } from 'chai'
import type { LateAnswerEvent } from '../../../src/plugin/events/index.ts'
import { openStorage } from '../../../src/store/index.ts'
import { events, OWNER, type Stored, TALK } from '../stored.ts'

const RESULT = {
  type: 'tool-result',
  callId: 'c',
  name: 'act',
  output: 'none',
  isError: true,
} as const
const OTHER = { ...RESULT, callId: 'd' }
const ABORT = { type: 'abort', reason: 'stopped', runId: 'r1', seq: 3, at: 20 } as const

function answer(output: unknown): LateAnswerEvent {
  const result = { type: 'tool-result', callId: 'c', name: 'act', output } as const
  return { type: 'tool-execution-late', callId: 'c', result, state: 'succeeded' }
}

/** What tools answer to the calls of a run that has ended. */
export function lateAnswersSuite(stored: Stored): void {
  describe('late answers', () => {
    beforeEach(async () => {
      await stored.create()
      await stored.start('r1')
      await stored.storage.runs.append('h', [{ runId: 'r1', events: events('r1', 0, 3) }])
    })

    function end(status: 'aborted' | 'suspended' = 'aborted'): Promise<boolean> {
      const message = { role: 'tool', parts: [RESULT, OTHER] } as const
      const entries = [{ kind: 'message', id: 'r1.0', runId: 'r1', message } as const]
      return stored.storage.runs.end(
        { runId: 'r1', holder: 'h', status, events: [ABORT], entries },
        20,
      )
    }

    async function results(storage = stored.storage) {
      const [entry] = await storage.conversations.history(OWNER, TALK)
      return entry?.kind === 'message' ? entry.message.parts : []
    }

    it('follow the last event, and replace the result in the conversation', async () => {
      await end()
      const { runs } = stored.storage
      expect(await runs.addLate(OWNER, 'r1', answer('late'), 30)).to.equal(true)
      const told = await runs.events(OWNER, 'r1', { after: 2 })
      expect(told).to.deep.equal([ABORT, { ...answer('late'), runId: 'r1', seq: 4, at: 30 }])
      expect(await runs.load(OWNER, 'r1')).to.include({ nextSeq: 5, status: 'aborted' })
      expect(await results()).to.deep.equal([answer('late').result, OTHER])
    })

    it('are not earlier than the end of the run', async () => {
      await end('aborted')
      await stored.storage.runs.addLate(OWNER, 'r1', answer('late'), 7)
      expect((await stored.storage.runs.events(OWNER, 'r1', { after: 3 }))[0]).to.include({
        at: 20,
      })
    })

    it('may be long, count, and survive an export', async () => {
      await end()
      await stored.storage.runs.addLate(OWNER, 'r1', answer('x'.repeat(200_000)), 30)
      await stored.storage.runs.addLate(OWNER, 'r1', answer('y'.repeat(150_000)), 31)
      expect(await results()).to.deep.equal([answer('y'.repeat(150_000)).result, OTHER])
      const { storage } = stored
      const size = await storage.conversations.size(OWNER, TALK)
      expect(size).to.be.within(150_000, 151_000)
      const other = await openStorage(stored.newPlace())
      await other.importRecords(storage.exportRecords(OWNER))
      expect(await other.usage(OWNER)).to.deep.equal(await storage.usage(OWNER))
      expect(await results(other)).to.deep.equal(await results())
      await other.close()
      await storage.conversations.delete(OWNER, TALK)
      expect(await storage.usage(OWNER)).to.include({ bytes: 0 })
    })

    it('are refused while the run is active, of another owner, and after it was deleted', async () => {
      const { runs } = stored.storage
      expect(await runs.addLate(OWNER, 'r1', answer(1), 30)).to.equal(false)
      await end('suspended')
      expect(await runs.addLate(OWNER, 'r1', answer(1), 30)).to.equal(true)
      expect(await runs.addLate('bob', 'r1', answer(1), 30)).to.equal(false)
      await runs.delete(OWNER, 'r1')
      expect(await runs.addLate(OWNER, 'r1', answer(1), 30)).to.equal(false)
      expect(await runs.events(OWNER, 'r1')).to.deep.equal([])
    })

    it('LR-07 stand beside what is told of compactions, each once', async () => {
      await end()
      const { runs } = stored.storage
      const began = { type: 'compaction-start', compactionId: 'x', trigger: 'manual' } as const
      const ended = { type: 'compaction-end', compactionId: 'x' } as const
      for (const event of [began, answer('late'), ended, began, ended]) {
        expect(await runs.addLate(OWNER, 'r1', event, 30)).to.equal(true)
      }
      await runs.addLate(OWNER, 'r1', { ...began, compactionId: 'y' }, 31)
      const told = await runs.events(OWNER, 'r1', { after: 3 })
      expect(told.map(({ type }) => type)).to.deep.equal([
        'compaction-start',
        'tool-execution-late',
        'compaction-end',
        'compaction-start',
      ])
      expect(await results()).to.deep.equal([answer('late').result, OTHER])
    })

    it('of a run without a conversation are events alone', async () => {
      await stored.start('r2', { conversationId: undefined })
      const ending = { ...ABORT, runId: 'r2', seq: 0 }
      const { runs } = stored.storage
      const last = {
        runId: 'r2',
        holder: 'h',
        status: 'aborted',
        events: [ending],
        entries: [],
      } as const
      await runs.end(last, 20)
      expect(await runs.addLate(OWNER, 'r2', answer(1), 30)).to.equal(true)
      expect(await runs.events(OWNER, 'r2')).to.have.length(2)
    })
  })
}
