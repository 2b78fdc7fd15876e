import { expect } from 'chai'
import fc from 'fast-check'
import type { Box } from '../../../src/page/site/why/geometry.ts'
import { layOut } from '../../../src/page/site/why/layout.ts'
import { nextBox } from '../../../src/page/site/why/next-box.ts'
import { explainedSets } from './explained.ts'

const KEYS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End']

function reachedFrom(start: Box, boxes: readonly Box[]): ReadonlySet<Box> {
  const reached = new Set([start])
  for (const box of reached) {
    for (const next of KEYS.flatMap((key) => nextBox(boxes, box, key) ?? [])) reached.add(next)
  }
  return reached
}

describe('the keys of the picture of plugins', () => {
  it('reach every box from every other', () => {
    fc.assert(
      fc.property(explainedSets(25), (plugins) => {
        const { boxes } = layOut(plugins)
        for (const start of boxes) {
          expect(reachedFrom(start, boxes).size).to.equal(boxes.length)
        }
      }),
    )
  })

  it('go to the closest box of the next column, and stop at the ends', () => {
    const plugin = (name: string, kind: 'provider' | 'tool') =>
      ({ plugin: name, kind, on: true, round: 1, rule: 'tags', tags: [], change: null }) as const
    const { boxes } = layOut([
      plugin('p', 'provider'),
      ...['a', 'b', 'c'].map((name) => plugin(name, 'tool')),
    ])
    const go = (from: string, key: string) =>
      nextBox(boxes, boxes.find((box) => box.plugin === from)!, key)?.plugin
    expect(go('p', 'ArrowRight')).to.equal('a')
    expect(go('c', 'ArrowLeft')).to.equal('p')
    expect(go('a', 'ArrowDown')).to.equal('b')
    expect(go('b', 'ArrowUp')).to.equal('a')
    expect(go('a', 'End')).to.equal('c')
    expect(go('c', 'Home')).to.equal('a')
    for (const key of ['ArrowUp', 'ArrowRight', 'x']) expect(go('a', key)).to.equal(undefined)
  })
})
