import { expect } from 'chai'
import fc from 'fast-check'
import type { Edge } from '../../../src/page/site/why/edges.ts'
import { type Box, type Point, ROW } from '../../../src/page/site/why/geometry.ts'
import { type Layout, layOut } from '../../../src/page/site/why/layout.ts'
import { propertyRuns } from '../../helpers/cases.ts'
import { CONFIGS, explainedBy, explainedSets, shippedHost } from './explained.ts'

function overlap(one: Box, other: Box): boolean {
  const isBeside = one.x + one.width <= other.x || other.x + other.width <= one.x
  return !isBeside && one.y + one.height > other.y && other.y + other.height > one.y
}

/** Whether a horizontal or vertical line runs through the inside of a box. */
function crosses([from, to]: readonly [Point, Point], box: Box): boolean {
  const [left, right] = [Math.min(from[0], to[0]), Math.max(from[0], to[0])]
  const [top, bottom] = [Math.min(from[1], to[1]), Math.max(from[1], to[1])]
  return left < box.x + box.width && right > box.x && top < box.y + box.height && bottom > box.y
}

const linesOf = ({ points }: Edge) =>
  points.slice(1).map((point, at): [Point, Point] => [points[at] ?? point, point])

function checkLayout({ boxes, edges, width, height }: Layout): void {
  boxes.forEach((box, at) => {
    for (const other of boxes.slice(at + 1)) expect(overlap(box, other)).to.equal(false)
    expect(box.x >= 0 && box.y >= 0).to.equal(true)
    expect(box.x + box.width <= width && box.y + box.height <= height).to.equal(true)
  })
  const named = new Map(boxes.map((box) => [box.plugin, box]))
  for (const edge of edges) {
    const [from, to] = [named.get(edge.from)!, named.get(edge.to)!]
    const [start, end] = [edge.points[0]!, edge.points.at(-1)!]
    expect(start[0]).to.equal(from.x + from.width)
    expect(start[1]).to.be.within(from.y, from.y + from.height)
    expect(end[0]).to.equal(to.x)
    expect(end[1]).to.be.within(to.y, to.y + to.height)
    expect(edge.path).to.match(/^M[\d. ]+([LQ][\d. ]+)+$/)
    expect(edge.path.startsWith(`M${start.join(' ')}`)).to.equal(true)
    expect(edge.path.endsWith(`L${end.join(' ')}`)).to.equal(true)
    for (const [one, other] of edge.points.map((point, at) => [
      point,
      edge.points[at + 1] ?? point,
    ])) {
      expect(one![0] === other![0] || one![1] === other![1]).to.equal(true)
    }
  }
}

describe('the picture of plugins', () => {
  it('has boxes that never overlap, and edges that end at their boxes', () => {
    fc.assert(
      fc.property(explainedSets(40), (plugins) => checkLayout(layOut(plugins))),
      { numRuns: propertyRuns(100, 15) },
    )
  })

  it('leads no edge through a box', () => {
    fc.assert(
      fc.property(explainedSets(20), (plugins) => {
        const { boxes, edges } = layOut(plugins)
        const crossed = edges
          .flatMap(linesOf)
          .filter((line) => boxes.some((box) => crosses(line, box)))
        expect(crossed).to.deep.equal([])
      }),
      { numRuns: propertyRuns(100, 10) },
    )
  })

  it('has every plugin once, those that are on first, and otherwise in their order', () => {
    fc.assert(
      fc.property(explainedSets(40), (plugins) => {
        const { boxes } = layOut(plugins)
        expect(boxes.map(({ plugin }) => plugin).sort()).to.deep.equal(
          plugins.map(({ plugin }) => plugin).sort(),
        )
        for (const box of boxes) {
          const above = boxes.filter(({ kind, row }) => kind === box.kind && row < box.row)
          for (const other of above) {
            const ranks = [other, box].map(({ state }) => ['on', 'blocked', 'off'].indexOf(state))
            expect(ranks[0]).to.be.at.most(ranks[1]!)
            const places = [other, box].map((one) =>
              plugins.findIndex(({ plugin }) => plugin === one.plugin),
            )
            if (ranks[0] === ranks[1]) expect(places[0]).to.be.below(places[1]!)
          }
        }
        expect(layOut(plugins)).to.deep.equal(layOut(plugins))
      }),
      { numRuns: propertyRuns(100, 10) },
    )
  })

  it('has columns in the order of the kinds, without those that have no plugins', () => {
    const plugin = (name: string, kind: 'provider' | 'tool') =>
      ({ plugin: name, kind, on: true, round: 1, rule: 'tags', tags: [], change: null }) as const
    const { columns, boxes } = layOut([plugin('t', 'tool'), plugin('p', 'provider')])
    expect(columns.map(({ kind }) => kind)).to.deep.equal(['provider', 'tool'])
    expect(boxes.map(({ plugin: name, column }) => [name, column])).to.deep.equal([
      ['p', 0],
      ['t', 1],
    ])
  })

  it('has a wider gap between plugins that are on and others than between those of one state', () => {
    const plugin = (name: string, on: boolean) =>
      ({
        plugin: name,
        kind: 'tool',
        on,
        round: on ? 1 : 0,
        rule: 'tags',
        tags: [],
        change: null,
      }) as const
    const plugins = [plugin('a', true), plugin('b', true), plugin('c', false), plugin('d', false)]
    const tops = layOut(plugins).boxes.map(({ y }) => y)
    const gaps = tops.slice(1).map((top, at) => top - tops[at]!)
    expect(gaps).to.deep.equal([ROW.pitch, ROW.pitch + ROW.gap, ROW.pitch])
  })

  it('is empty without plugins', () => {
    expect(layOut([])).to.deep.include({ boxes: [], edges: [], columns: [], labels: [] })
  })

  it('takes under 50 ms for 200 plugins', () => {
    const [plugins = []] = fc.sample(explainedSets(200, 200), 1)
    expect(layOut(plugins).edges.length).to.be.above(200)
    // The least of some measurements: a collection of garbage, or a neighbor on the machine, takes part in the others.
    const times = Array.from({ length: 5 }, () => {
      const start = process.cpuUsage()
      layOut(plugins)
      return process.cpuUsage(start).user / 1000
    })
    expect(Math.min(...times)).to.be.below(50)
  })
})

describe('the picture of the shipped plugins', () => {
  it('has an edge for each tag between two plugins, live where it has an effect', async () => {
    const host = await shippedHost()
    for (const config of CONFIGS) {
      const plugins = await explainedBy(host, config)
      const layout = layOut(plugins)
      checkLayout(layout)
      const wanted = plugins.flatMap(({ plugin, on, tags }) =>
        tags.flatMap(({ tag, need, providedBy, wouldBeProvidedBy }) => [
          ...providedBy.map((from) => [from, tag, plugin, on || need === 'forbidden'].join()),
          ...wouldBeProvidedBy.map((from) => [from, tag, plugin, false].join()),
        ]),
      )
      const drawn = layout.edges.map(({ from, tag, to, live }) => [from, tag, to, live].join())
      expect(drawn).to.have.members(wanted)
    }
    await host.close()
  })
})
