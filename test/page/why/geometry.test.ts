import { expect } from 'chai'
import { type Point, pathOf } from '../../../src/page/site/why/geometry.ts'

describe('the path of a line with right angles', () => {
  const points: readonly Point[] = [
    [0, 0],
    [40, 0],
    [40, 60],
    [90, 60],
  ]

  it('bends within the radius before and after each corner, across and down alike', () => {
    expect(pathOf(points, 5)).to.equal('M0 0L35 0Q40 0 40 5L40 55Q40 60 45 60L90 60')
  })

  it('bends from half way where a corner is nearer than two radii', () => {
    const near: readonly Point[] = [
      [0, 0],
      [4, 0],
      [4, 90],
    ]
    expect(pathOf(near, 5)).to.equal('M0 0L2 0Q4 0 4 5L4 90')
  })

  it('goes up and back as it goes down and forward', () => {
    const back = points.map(([x, y]): Point => [-x, -y])
    expect(pathOf(back, 5)).to.equal('M0 0L-35 0Q-40 0 -40 -5L-40 -55Q-40 -60 -45 -60L-90 -60')
  })

  it('is straight between two points', () => {
    const straight: readonly Point[] = [
      [1, 2],
      [8, 2],
    ]
    expect(pathOf(straight)).to.equal('M1 2L8 2')
  })
})
