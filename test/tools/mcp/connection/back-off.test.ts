import { expect } from 'chai'
import { BackOff } from '../../../../tools/mcp/connection/back-off.ts'

describe('the wait before a server is started again', () => {
  /** The seconds of the waits, of which one begins where the last one ended. */
  function waitsOf(happens: (backOff: BackOff) => void, count: number): readonly number[] {
    let now = 0
    const backOff = new BackOff(() => now)
    return Array.from({ length: count }, () => {
      happens(backOff)
      const seconds = Number(/is in (\d+) s\.$/.exec(backOff.refusal ?? '')?.[1] ?? 0)
      now += seconds * 1_000
      return seconds
    })
  }

  it('is none where the server ended for the first time, and then doubles up to a minute', () => {
    const waits = waitsOf((backOff) => backOff.died('it ended', 0), 9)
    expect(waits).to.deep.equal([0, 1, 2, 4, 8, 16, 32, 60, 60])
  })

  it('doubles from the first start on that fails', () => {
    const waits = waitsOf((backOff) => backOff.failed('it failed'), 4)
    expect(waits).to.deep.equal([1, 2, 4, 8])
  })

  it('begins anew after a minute in which the server ran', () => {
    const times = [0, 0, 60_000, 0]
    const waits = waitsOf((backOff) => backOff.died('it ended', times.shift() ?? 0), 4)
    expect(waits).to.deep.equal([0, 1, 0, 1])
  })
})
