import { expect } from 'chai'
import { breakersOf, CircuitBreakers } from '../../../src/agent/retry/index.ts'

const MODEL = 'm'

function failing(times: number, at = 0): CircuitBreakers {
  const breakers = new CircuitBreakers()
  for (let count = 0; count < times; count++) {
    expect(breakers.admit(MODEL, at)).to.deep.equal({ isAdmitted: true })
    breakers.note(MODEL, 'failed', at)
  }
  return breakers
}

describe('a circuit breaker', () => {
  it('AW-23 opens after five failures in a row, for thirty seconds', () => {
    expect(failing(4).admit(MODEL, 0).isAdmitted).to.equal(true)
    const breakers = failing(5, 1000)
    expect(breakers.isOpen(MODEL)).to.equal(true)
    expect(breakers.admit(MODEL, 1000)).to.deep.equal({ isAdmitted: false, leftMs: 30_000 })
    expect(breakers.admit(MODEL, 30_999)).to.deep.equal({ isAdmitted: false, leftMs: 1 })
    expect(breakers.admit('other', 1000).isAdmitted).to.equal(true)
  })

  it('AW-23 starts to count again after an answer', () => {
    const breakers = failing(4)
    breakers.note(MODEL, 'answered', 0)
    breakers.note(MODEL, 'failed', 0)
    expect(breakers.admit(MODEL, 0).isAdmitted).to.equal(true)
  })

  it('AW-23 then admits one probe, and no second one beside it', () => {
    const breakers = failing(5)
    expect(breakers.admit(MODEL, 30_000).isAdmitted).to.equal(true)
    expect(breakers.admit(MODEL, 30_000)).to.deep.equal({ isAdmitted: false, leftMs: 1000 })
    breakers.note(MODEL, 'answered', 30_010)
    expect(breakers.isOpen(MODEL)).to.equal(false)
    expect(breakers.admit(MODEL, 30_010).isAdmitted).to.equal(true)
  })

  it('AW-23 stays open after a probe that fails', () => {
    const breakers = failing(5)
    breakers.admit(MODEL, 40_000)
    breakers.note(MODEL, 'failed', 40_100)
    expect(breakers.admit(MODEL, 70_099)).to.deep.equal({ isAdmitted: false, leftMs: 1 })
    expect(breakers.admit(MODEL, 70_100).isAdmitted).to.equal(true)
  })

  it('AW-23 admits another probe after one that was cancelled', () => {
    const breakers = failing(5)
    breakers.admit(MODEL, 30_000)
    breakers.note(MODEL, 'unknown', 30_001)
    expect(breakers.admit(MODEL, 30_002).isAdmitted).to.equal(true)
  })

  it('AW-23 is shared by the runs of a host', () => {
    const [first, second] = [{}, {}]
    expect(breakersOf(first)).to.equal(breakersOf(first))
    expect(breakersOf(first)).to.not.equal(breakersOf(second))
  })
})
