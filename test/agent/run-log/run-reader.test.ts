import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import { LiveRun } from '../../../src/agent/run-log/live-run.ts'
import { RunReader, type RunSource } from '../../../src/agent/run-log/run-reader.ts'
import type { StoredRun } from '../../../src/agent/storage/index.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'
import { errorOf } from '../../helpers/plugins.ts'

const RUN = {
  id: 'run',
  owner: 'ada',
  order: {},
  status: 'active',
  startedAt: 0,
  nextSeq: 0,
  legSeq: 0,
} satisfies StoredRun

function delta(seq: number, text = `${seq} `): RunEvent {
  return { type: 'text-delta', id: 't', delta: text, runId: 'run', seq }
}

function ending(seq: number): RunEvent {
  return { type: 'abort', reason: 'enough', runId: 'run', seq }
}

describe('a reader of a run who is told', () => {
  let live: LiveRun
  let stored: RunEvent[]
  let told: number[]
  let behind: number

  beforeEach(() => {
    live = new LiveRun(RUN)
    stored = []
    told = []
    behind = 0
  })

  function reader(signal?: AbortSignal): RunReader {
    const source: RunSource = {
      load: async () => RUN,
      live: () => (live.isOver ? undefined : live),
      page: async (after, most) => stored.filter(({ seq }) => seq > after).slice(0, most),
      tellBehind: () => void behind++,
      pause: async () => undefined,
    }
    return new RunReader(source, -1, signal)
  }

  function publish(...events: readonly RunEvent[]): void {
    stored.push(...events)
    live.publish(events)
  }

  const note = (events: readonly RunEvent[]) => void told.push(...events.map(({ seq }) => seq))

  async function settled(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await setImmediate()
  }

  it('is told what comes in the turn in which it is shown, to the ending', async () => {
    const done = reader().pipeTo(note)
    await settled()
    publish(delta(0), delta(1))
    await settled()
    publish(delta(2))
    expect(told).to.deep.equal([0, 1, 2])
    publish(ending(3))
    live.finish()
    await done
    expect(told).to.deep.equal([0, 1, 2, 3])
  })

  it('is told what was there before it came', async () => {
    publish(delta(0), delta(1))
    const done = reader().pipeTo(note)
    await settled()
    publish(ending(2))
    live.finish()
    await done
    expect(told).to.deep.equal([0, 1, 2])
  })

  it('is told nothing while it is not ready for more, and then all of it at once', async () => {
    const lists: number[][] = []
    let ready: () => void = () => undefined
    const done = reader().pipeTo((events) => {
      lists.push(events.map(({ seq }) => seq))
      return new Promise((resolve) => {
        ready = resolve
      })
    })
    await settled()
    for (let seq = 0; seq < 4; seq++) publish(delta(seq))
    await settled()
    expect(lists).to.deep.equal([[0]])
    ready()
    await settled()
    expect(lists).to.deep.equal([[0], [1, 2, 3]])
    publish(ending(4))
    live.finish()
    ready()
    await settled()
    ready()
    await done
    expect(lists).to.deep.equal([[0], [1, 2, 3], [4]])
  })

  it('is told what it missed from the storage, where that is not in memory any more', async () => {
    let ready: () => void = () => undefined
    const done = reader().pipeTo((events) => {
      note(events)
      return new Promise((resolve) => (ready = resolve))
    })
    await settled()
    for (let seq = 0; seq < 5; seq++) publish(delta(seq, 'x'.repeat(600_000)))
    publish(ending(5))
    live.finish()
    for (let turn = 0; turn < 5; turn++) {
      await settled()
      ready()
    }
    await done
    expect(told).to.deep.equal([0, 1, 2, 3, 4, 5])
  })

  it('is told what it missed in lists that a slow client can hold', async () => {
    const lists: number[] = []
    let ready: () => void = () => undefined
    const done = reader().pipeTo((events) => {
      lists.push(events.length)
      return new Promise((resolve) => (ready = resolve))
    })
    await settled()
    publish(delta(0))
    for (let seq = 1; seq <= 900; seq++) publish(delta(seq, 'x'.repeat(10_000)))
    publish(ending(901))
    live.finish()
    for (let turn = 0; turn < 10; turn++) {
      await settled()
      ready()
    }
    await done
    expect(lists.reduce((all, count) => all + count)).to.equal(902)
    expect(Math.max(...lists)).to.equal(200)
  })

  it('is sent away where what it missed was deleted', async () => {
    let ready: () => void = () => undefined
    const reading = errorOf(reader().pipeTo(() => new Promise((resolve) => (ready = resolve))))
    await settled()
    for (let seq = 0; seq < 5; seq++) publish(delta(seq, 'x'.repeat(600_000)))
    stored = []
    await settled()
    ready()
    expect(await reading).to.include({
      code: 'READER_BEHIND',
      message:
        'The reader is too far behind the run: the events that it has not read were deleted.',
    })
    expect(behind).to.equal(1)
  })

  it('is told nothing more once it has left, also while it is not ready', async () => {
    let ready: () => void = () => undefined
    const own = reader()
    const done = own.pipeTo((events) => {
      note(events)
      return new Promise((resolve) => (ready = resolve))
    })
    await settled()
    publish(delta(0))
    await settled()
    await own.return()
    await done
    publish(delta(1))
    ready()
    await settled()
    expect(told).to.deep.equal([0])
  })

  it('leaves where its signal aborts', async () => {
    const leaving = new AbortController()
    const counts: number[] = []
    live.watchReaders((count) => counts.push(count))
    const done = reader(leaving.signal).pipeTo(note)
    await settled()
    leaving.abort()
    await done
    expect(counts).to.deep.equal([1, 0])
  })

  for (const [when, tell] of [
    ['at once', () => fail()],
    ['later', async () => fail()],
  ] as const) {
    it(`fails with what it throws ${when}, and leaves the run as it is`, async () => {
      const failing = errorOf(reader().pipeTo(tell))
      const done = reader().pipeTo(note)
      await settled()
      publish(delta(0))
      expect(await failing).to.include({ message: 'no room' })
      publish(ending(1))
      live.finish()
      await done
      expect(told).to.deep.equal([0, 1])
    })
  }

  function fail(): undefined {
    throw new Error('no room')
  }
})
