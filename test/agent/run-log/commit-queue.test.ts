import { expect } from 'chai'
import { type Environment, systemEnvironment } from '../../../src/agent/environment.ts'
import { CommitQueue, withRetries } from '../../../src/agent/run-log/commit-queue.ts'
import { LiveRun } from '../../../src/agent/run-log/live-run.ts'
import type { EventBatch, RunStorage } from '../../../src/agent/storage/index.ts'
import { HostError } from '../../../src/plugin/errors.ts'

describe('what the run log tries again', () => {
  let now = 0
  const environment: Environment = {
    ...systemEnvironment,
    elapsed: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds
    },
  }

  /** Tries that each take so long, and fail; how many there were, and when the last had ended. */
  async function tried(milliseconds: number, retryable: boolean) {
    now = 0
    let tries = 0
    const failure: unknown = await withRetries(environment, async () => {
      tries++
      now += milliseconds
      throw new HostError('STORAGE_FAILED', 'locked', { retryable })
    }).catch((error: unknown) => error)
    expect(failure).to.include({ code: 'STORAGE_FAILED' })
    return { tries, now }
  }

  it('is what may pass, for some seconds', async () => {
    expect(await tried(0, true)).to.deep.equal({ tries: 8, now: 3925 })
  })

  it('is given up after ten seconds where each try takes long', async () => {
    expect(await tried(5000, true)).to.deep.equal({ tries: 2, now: 10_025 })
  })

  it('is not what will not pass', async () => {
    expect(await tried(0, false)).to.deep.equal({ tries: 1, now: 0 })
  })
})

describe('the queue of events that are to be stored', () => {
  const RUN = { id: 'run', owner: 'ada', order: {}, status: 'active', startedAt: 0 } as const

  it('tells before each write how long its oldest event has waited', async () => {
    let now = 7000
    const waits: number[] = []
    const written: number[][] = []
    const append = async (_holder: string, batches: readonly EventBatch[]) => {
      written.push(batches.flatMap(({ events }) => events.map(({ seq }) => seq)))
      return []
    }
    const sleep = async (milliseconds: number) => {
      // Another event comes while the first of this write waits.
      now += 2
      add(2)
      now += milliseconds - 2
    }
    const environment: Environment = { ...systemEnvironment, elapsed: () => now, sleep }
    const runs = { append } as unknown as RunStorage
    const onCommit = (waited: number) => void waits.push(waited)
    const queue = new CommitQueue({ runs, environment, holder: 'h', onCommit })
    const write = queue.writer(new LiveRun({ ...RUN, nextSeq: 0, legSeq: 0 }), [])
    const add = (seq: number) =>
      void write([{ type: 'text-delta', id: 't', delta: 'x', runId: 'run', seq }])
    add(0)
    await queue.settled()
    add(1)
    await queue.settled()
    expect(written).to.deep.equal([[0], [1, 2]])
    expect(waits).to.deep.equal([0, 6])
  })
})
