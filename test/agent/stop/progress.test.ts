import { expect } from 'chai'
import { NO_PROGRESS, ProgressCounter } from '../../../src/agent/stop/progress.ts'

describe('the progress of a run', () => {
  it('has the seconds since it began, whatever its clock showed then', () => {
    let now = 7_000_000
    const progress = new ProgressCounter(() => now)
    expect(progress.now).to.deep.equal(NO_PROGRESS)
    now += 1500
    expect(progress.now.seconds).to.equal(1.5)
  })

  it('adds up over the legs of a run', () => {
    let now = 500
    const before = { ...NO_PROGRESS, seconds: 10, tokens: 100, dollars: 0.5, failedCalls: 1 }
    const progress = new ProgressCounter(() => now, before)
    now = 2500
    progress.addUsage({ usage: { input: 4, output: 2 } }, { price: { input: 1e6, output: 2e6 } })
    progress.addResults([
      { type: 'tool-result', callId: 'c', name: 'look', output: 'no', isError: true },
    ])
    expect(progress.now).to.deep.equal({
      ...before,
      seconds: 12,
      tokens: 106,
      dollars: 8.5,
      failedCalls: 2,
    })
  })
})
