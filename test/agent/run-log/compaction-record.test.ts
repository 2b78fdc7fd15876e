import { expect } from 'chai'
import type { Compacted } from '../../../src/agent/compaction/index.ts'
import { systemEnvironment } from '../../../src/agent/environment.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { CompactionRecord } from '../../../src/agent/run-log/compaction-record.ts'
import type { Storage } from '../../../src/agent/storage/index.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'

const DONE: Compacted = {
  entryId: 'e',
  marker: { kind: 'compaction', summary: 'in short', archive: 'a', replaced: 2 },
  tokens: { before: 9000, after: 100 },
  runIds: ['r'],
}

describe('CompactionRecord', () => {
  let storage: Storage
  let seen: RunEvent[]
  let times: number[]
  const record = () =>
    new CompactionRecord({
      runs: storage.runs,
      environment: { ...systemEnvironment, now: () => times.shift() ?? 0 },
      owner: 'ada',
      conversationId: 'talk',
      trigger: 'manual',
      onStored: (_run, event) => seen.push(event),
    })

  beforeEach(async () => {
    storage = memoryStorage()
    seen = []
    const { conversations, runs } = storage
    await conversations.create({ id: 'talk', owner: 'ada', agent: 'x', sender: 'ada' }, 1)
    const lease = { holder: 'h', expiresAt: 1000 }
    await runs.start(
      { id: 'r', owner: 'ada', order: {}, conversationId: 'talk' },
      lease,
      { entries: [] },
      1,
    )
    const ending = { type: 'abort', reason: 'x', runId: 'r', seq: 0, at: 100 } as const
    const end = { runId: 'r', holder: 'h', status: 'aborted', events: [ending] } as const
    await runs.end({ ...end, entries: [], approvals: [] }, 100)
  })

  it('LR-14 tells no event before the one that it follows, where the clock is set back', async () => {
    times = [200, 50]
    const one = record()
    await one.started()
    await one.completed(DONE)
    const at = (await storage.runs.events('ada', 'r')).map((event) => event.at)
    expect(at).to.deep.equal([100, 200, 200])
  })

  it('LR-07 shows the events as they are stored', async () => {
    times = [50, 60]
    const one = record()
    await one.started()
    await one.completed(DONE)
    const stored = await storage.runs.events('ada', 'r', { after: 0 })
    expect(seen).to.deep.equal(stored)
    expect(seen.map(({ seq, at }) => [seq, at])).to.deep.equal([
      [1, 100],
      [2, 100],
    ])
  })
})
