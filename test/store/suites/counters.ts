import { expect } from 'chai'
import type { Stored } from '../stored.ts'

const DAY = { startsAt: 0, endsAt: 100 }

/** What is counted for all processes. */
export function countersSuite(stored: Stored): void {
  describe('counts', () => {
    const requests = { ...DAY, key: 'requests', most: 3, amount: 1, held: 0 }
    const cost = { ...DAY, key: 'cost', most: 10, amount: 0, held: 8 }
    const take = (...takes: readonly (typeof requests)[]) => stored.storage.counters.take(takes)
    const full = (key: string, isSpent: boolean) => [{ key, isSpent }]

    it('up to a limit, in each window anew', async () => {
      for (let count = 0; count < 3; count++) expect(await take(requests)).to.deep.equal([])
      expect(await take(requests)).to.deep.equal(full('requests', true))
      expect(await take({ ...requests, startsAt: 100, endsAt: 200 })).to.deep.equal([])
      expect(await take({ ...requests, key: 'other' })).to.deep.equal([])
    })

    it('in all counters or in none', async () => {
      expect(await take({ ...requests, most: 1 })).to.deep.equal([])
      expect(await take({ ...requests, most: 1 }, cost)).to.deep.equal(full('requests', true))
      expect(await take(cost)).to.deep.equal([])
      expect(await take(cost)).to.deep.equal([])
      expect(await take(cost)).to.deep.equal(full('cost', false))
    })

    it('what is reserved, until it is given back or used', async () => {
      const { counters } = stored.storage
      await take(cost)
      await take(cost)
      await counters.add([{ ...DAY, key: 'cost', amount: 2, held: -8 }])
      expect(await take(cost)).to.deep.equal(full('cost', false))
      await counters.add([{ ...DAY, key: 'cost', amount: 9, held: -8 }])
      expect(await take(cost)).to.deep.equal(full('cost', true))
    })

    it('changes of counters that it does not have yet', async () => {
      await stored.storage.counters.add([{ ...DAY, key: 'requests', amount: 3, held: 0 }])
      expect(await take(requests)).to.deep.equal(full('requests', true))
    })

    it('with limits that change meanwhile', async () => {
      await take(requests)
      expect(await take({ ...requests, most: 1 })).to.deep.equal(full('requests', true))
      expect(await take({ ...requests, most: 2 })).to.deep.equal([])
    })

    it('of many at once exactly as many as the limits have room for', async () => {
      const other = { ...requests, key: 'more', most: 25 }
      const asked = Array.from({ length: 120 }, (_, at) =>
        take(
          ...(at % 2 === 0
            ? [{ ...requests, most: 40 }, other]
            : [other, { ...requests, most: 40 }]),
        ),
      )
      const answers = await Promise.all(asked)
      expect(answers.filter((answer) => answer.length === 0)).to.have.length(25)
      // A request that one counter refused took nothing of the other.
      const rest = Array.from({ length: 30 }, () => take({ ...requests, most: 40 }))
      const passed = (await Promise.all(rest)).filter((answer) => answer.length === 0)
      expect(passed).to.have.length(15)
    })

    it('not for ever: windows that ended before a time are deleted', async () => {
      const { counters } = stored.storage
      await take({ ...requests, most: 1 })
      await counters.expire(100)
      expect(await take({ ...requests, most: 1 })).to.deep.equal(full('requests', true))
      await counters.expire(101)
      expect(await take({ ...requests, most: 1 })).to.deep.equal([])
    })
  })
}
