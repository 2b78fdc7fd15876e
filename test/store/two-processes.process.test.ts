import { copyFileSync } from 'node:fs'
import { expect } from 'chai'
import { sqlite } from './backends.ts'
import { restoreSqlite } from './restore.ts'
import { WITHOUT_TIMES } from './suites/events-without-times.ts'
import { openTwice, twoProcessesSuite } from './suites/two-processes.ts'

twoProcessesSuite({ backend: sqlite(), restore: restoreSqlite })

describe('a file of a version whose events have no times', () => {
  const backend = sqlite()
  before(() => backend.begin())
  after(() => backend.end())

  it('LR-14 is whole for two processes that open it at once', async () => {
    const place = backend.place()
    copyFileSync(WITHOUT_TIMES, place)
    const [first, second] = await openTwice(place)
    expect(second).to.deep.equal(first)
    const countOf = (type: string) => first.filter((record) => record.type === type).length
    expect(
      ['conversation', 'entry', 'run', 'event', 'approval', 'value'].map(countOf),
    ).to.deep.equal([2, 7, 3, 49, 1, 1])
  }).timeout(60_000)
})
