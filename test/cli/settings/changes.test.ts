import { expect } from 'chai'
import { changesBetween, type ListStep, listSteps } from '../../../src/cli/settings/changes.ts'

/** A list after these steps, one at a time. */
function after(before: readonly unknown[], steps: readonly ListStep[]): readonly unknown[] {
  const list = [...before]
  for (const one of steps) {
    if (one.step === 'append') list.push(one.value)
    else if (one.step === 'change') {
      expect(list[one.index]).to.deep.equal(one.before)
      list[one.index] = one.after
    } else {
      expect(one.index).to.be.below(list.length)
      list.splice(one.index, 1)
    }
  }
  return list
}

describe('the steps from one list to another', () => {
  for (const [before, wanted, count] of [
    [['a', 'b', 'c'], ['a', 'c'], 1],
    [['a', 'b', 'c', 'd'], ['x', 'b'], 3],
    [['a', 'b', 'c', 'd', 'e'], ['a', 'x'], 4],
    [['a', 'b'], ['a', 'x', 'y'], 2],
    [['a'], [], 1],
    [[{ id: 1 }], [{ id: 1 }], 0],
  ] as const)
    it(`lead there, as few as possible: ${JSON.stringify([before, wanted])}`, () => {
      const steps = listSteps(before, wanted)
      expect(after(before, steps)).to.deep.equal(wanted)
      expect(steps).to.have.length(count)
    })
})

describe('the changes between two values', () => {
  it('have the path of each value that is another, that is new, or that is gone', () => {
    expect(changesBetween({ a: { b: 1, c: [1] }, d: 2 }, { a: { b: 1, c: [2] }, e: 3 })).to.eql([
      { path: ['a', 'c'], before: [1], after: [2] },
      { path: ['d'], before: 2, after: undefined },
      { path: ['e'], before: undefined, after: 3 },
    ])
    expect(changesBetween({ a: [1] }, { a: [1] })).to.deep.equal([])
  })
})
