import { expect } from 'chai'
import { HAS_ALL_CASES } from '../../helpers/cases.ts'
import { slowness } from '../../helpers/slowness.ts'
import { type Load, type LoadRound, runLoad } from './load.ts'

const MEGABYTE = 1 << 20

/** A sample of what `npm run load` does at length: as many as a machine that does other things too can serve. */
const LOADS: readonly Load[] = [
  {
    what: 'a script, stored in memory',
    streams: 60,
    paused: 6,
    words: 40,
    rounds: HAS_ALL_CASES ? 3 : 2,
    store: 'memory',
    source: 'script',
  },
  {
    what: 'a model API over HTTP, stored in SQLite',
    streams: 30,
    paused: 3,
    words: 40,
    rounds: 1,
    store: 'sqlite',
    source: 'http',
  },
]

for (const load of LOADS) {
  describe(`${load.streams} streams at once out of ${load.what}`, () => {
    let rounds: readonly LoadRound[]

    before(async function () {
      this.timeout(60_000)
      rounds = await runLoad(load)
    })

    it('are complete and exact in every protocol', () => {
      expect(rounds.flatMap(({ faults }) => faults)).to.deep.equal([])
      for (const { pieces, together } of rounds) {
        expect(pieces).to.equal(load.streams * load.words)
        expect(together).to.equal(load.streams)
      }
    })

    it('are read soon after they are told', () => {
      for (const { ages } of rounds) expect(ages.p50).to.be.below(100 * slowness())
    })

    it('are not slowed by those that do not read', () => {
      for (const { durations } of rounds) {
        expect(durations.most / durations.median).to.be.at.most(2)
      }
    })

    it('leave nothing behind', () => {
      const [first] = rounds
      for (const { heap, activeRuns } of rounds) {
        expect(activeRuns).to.equal(0)
        expect(heap - (first?.heap ?? 0)).to.be.below(10 * MEGABYTE)
      }
    })
  })
}
