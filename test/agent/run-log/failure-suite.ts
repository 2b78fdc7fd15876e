import { expect } from 'chai'
import type { Storage } from '../../../src/agent/storage/index.ts'
import { sampled } from '../../helpers/cases.ts'
import { FAILURES, FailingStorage, type Fault } from '../../helpers/failing-storage.ts'
import { expectAgreement } from '../agreement/index.ts'
import { FailingRuns, STEPS } from './failing-runs.ts'
import { Meeting } from './meeting.ts'

/** How long writes fail from the nth on, and whether a try may be repeated. */
const EXTENTS = {
  'one write, and may be repeated': { lasts: 1, isRetryable: true },
  'one write': { lasts: 1, isRetryable: false },
  'all writes from then on': { lasts: Number.POSITIVE_INFINITY, isRetryable: false },
} as const

/** All kinds of failures, in an order in which every third one has each failure, each extent, and both of what follows. */
const KINDS = Object.keys(EXTENTS).flatMap((extent) =>
  FAILURES.flatMap((failure) =>
    [false, true].map((goesOn) => ({ failure, extent: extent as keyof typeof EXTENTS, goesOn })),
  ),
)

/** Milliseconds after which a try hangs, also on a machine that is busy with other tests. */
const HANGS = 60_000

/** Runs write at least so often. */
const FEWEST_WRITES = 18

export interface FailureSuite {
  /** Opens a new, empty storage. */
  readonly open: () => Promise<Storage>
  /** Of how many writes one is tried; each test tries one alone where this is infinite. */
  readonly every: number
  /** Of how many kinds of failures one is tried. */
  readonly share?: number
  /** Where the sample of kinds begins. */
  readonly start?: number
}

/** Fails each write of two runs in turn, and checks what is stored once another process has taken them. */
export function failureSuite({ open, every, share = 1, start: from = 0 }: FailureSuite): void {
  it('agrees where nothing fails, and stores events of several runs in groups', async () => {
    const writes = await within(HANGS, 'a meeting', ranWithoutFault(open))
    expect(writes).to.include('runs.append of 2').and.to.include('runs.end')
  })

  const firsts = startsWithin(every)
  for (const { failure, extent, goesOn } of sampled(KINDS, share, from)) {
    const { lasts, isRetryable } = EXTENTS[extent]
    const then = goesOn ? 'goes on' : 'ends them'
    const start = firsts.next().value
    it(`agrees where it fails ${failure}, in ${extent}, and another process ${then}`, async () => {
      let hasFailed = true
      for (let first = start; hasFailed && first < Number.POSITIVE_INFINITY; first += every) {
        const fault = { failure, first, lasts, isRetryable }
        hasFailed = await within(HANGS, `write ${first}`, ran(open, fault, goesOn))
      }
    })
  }
}

/** The first write that fails, another one in each test: where not every write is tried, all tests together try many. */
function* startsWithin(every: number): Generator<number, never> {
  for (let test = 0; ; test++) yield (test * 5) % Math.min(every, FEWEST_WRITES)
}

/** Runs all once, without a fault, and lets the events of both runs meet. Returns the writes. */
async function ranWithoutFault(open: FailureSuite['open']): Promise<readonly string[]> {
  const storage = await open()
  const failing = new FailingStorage({
    failure: 'before',
    first: Number.POSITIVE_INFINITY,
    lasts: 0,
    isRetryable: false,
  })
  const meeting = new Meeting(['run-one', 'run-two'])
  const runs = await FailingRuns.create({ onWait: meeting.arrived })
  await runs.prepare(storage)
  await runs.begin(failing.over(meeting.over(storage)))
  expect(runs.told.errors).to.deep.equal([])
  await expectAgreement(storage, open)
  await expectEnded(storage, runs, 'nothing')
  await runs.close()
  await storage.close()
  return failing.writes
}

/** Runs all once, with a fault. Returns whether a write failed. */
async function ran(open: FailureSuite['open'], fault: Fault, goesOn: boolean): Promise<boolean> {
  const storage = await open()
  const failing = new FailingStorage(fault)
  const runs = await FailingRuns.create()
  try {
    await runs.prepare(storage)
    await runs.begin(failing.over(storage))
    const at = `write ${fault.first}, ${failing.writes[fault.first]}; ${runs.told.errors}`
    await expectTold(storage, runs, at)
    await runs.recover(storage, goesOn)
    await expectAgreement(storage, open, at)
    await expectTold(storage, runs, at)
    expect(new Set(runs.ran).size, `${at}: calls that ran`).to.equal(runs.ran.length)
    if (goesOn) await expectEnded(storage, runs, at)
    return failing.hasFailed
  } finally {
    await runs.close()
    await storage.close()
  }
}

/** All that clients were told is stored. */
async function expectTold(storage: Storage, { told }: FailingRuns, at: string): Promise<void> {
  for (const id of told.started) {
    expect(await storage.runs.load('ada', id), `${at}: ${id}`).to.include({ id })
  }
  for (const id of told.answered) {
    const approval = await storage.approvals.load('ada', id)
    expect(approval?.answer, `${at}: ${id}`).to.include({ approved: true })
  }
  for (const [id, events] of told.events) {
    const stored = await storage.runs.events('ada', id)
    const same = events.map(({ seq }) => stored[seq])
    expect(same, `${at}: events of ${id}`).to.deep.equal(events)
  }
}

/** Runs that another process goes on with reach their end, and no step is counted twice. */
async function expectEnded(storage: Storage, runs: FailingRuns, at: string): Promise<void> {
  for (const { id, status } of await runs.runs(storage)) {
    expect(['done', 'failed', 'aborted'], `${at}: ${id}`).to.include(status)
    const state = await storage.runs.lastEvent('ada', id, 'run-state')
    if (status !== 'done') continue
    expect(state, `${at}: ${id}`).to.have.nested.property('values.ended', STEPS)
  }
}

/** Fails where something hangs. */
async function within<T>(milliseconds: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} hangs`)), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
