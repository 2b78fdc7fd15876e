import { expect } from 'chai'
import type { StoredRun } from '../../../src/agent/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { LeftNotices } from '../../../src/server/notifications/left-notices.ts'

const MINUTE = 60_000

describe('the runs whose last states are to be posted', () => {
  const storage = memoryStorage()
  let now = 0
  const environment = {
    now: () => now,
    elapsed: () => now,
    sleep: () => Promise.resolve(),
    newId: String,
  }
  /** What another process of the server sees. */
  const another = () => new LeftNotices(storage, environment)
  let count = 0
  const begun = async (): Promise<StoredRun> => {
    const run = { id: `run-${++count}`, owner: 'ada', order: {} }
    const lease = { token: `t${count}`, holder: 'h', number: 0 } as never
    const start = await storage.runs.start(run, lease, { entries: [] }, now)
    if (start.outcome !== 'started') throw new Error(start.outcome)
    return start.run
  }
  const idsOf = async (left: LeftNotices) => (await left.due()).map(({ id }) => id)

  it('are none while a process works on them', async () => {
    const run = await begun()
    await another().add(run)
    const left = another()
    expect(await idsOf(left)).to.deep.equal([])
    now += 2 * MINUTE
    expect(await idsOf(left)).to.deep.equal([])
    await another().remove(run)
  })

  it('keep their mark until all work for them is done', async () => {
    const run = await begun()
    const own = another()
    await own.add(run)
    await own.add(run)
    await own.remove(run)
    const marks = () => storage.storageOf('a2a:notifications').list('left/')
    expect(await marks()).to.deep.equal([`left/${run.id}`])
    await own.remove(run)
    expect(await marks()).to.deep.equal([])
  })

  it('are forgotten where they were deleted with their conversation', async () => {
    const run = { ...(await begun()), id: 'gone' }
    await another().add(run)
    expect(await idsOf(another())).to.deep.equal([])
    expect(await storage.storageOf('a2a:notifications').list('left/')).to.deep.equal([])
  })
})
