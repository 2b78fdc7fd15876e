import { calcPrice, waitForUpdate } from '@pydantic/genai-prices'
import { expect } from 'chai'
import { findModel, priceAt } from '../../../providers/model-api/price-list.ts'
import { priceListOf } from '../../../providers/model-api/price-lists.ts'

/** Times on both sides of the starts and hours that prices have. */
const TIMES = [
  '2024-01-01T00:00:00Z',
  '2025-11-30T23:59:59.999Z',
  '2026-08-01T12:00:00Z',
  '2026-11-23T00:30:00Z',
  '2026-11-23T02:00:00Z',
  '2026-11-23T12:00:00Z',
  '2026-11-23T16:29:59.5Z',
  '2026-11-23T23:59:59Z',
].map((time) => new Date(time))

/** An id as it is, and as other servers and snapshots write it. */
function writings(id: string): readonly string[] {
  return [id, id.toUpperCase(), ` ${id} `, `${id}-20260131`, `${id}-20260231`, `x${id}`, `${id}-x`]
}

describe('the price lists', () => {
  it('find the models that the library finds, in every company, however the id is written', async function () {
    this.timeout(60_000)
    const different: string[] = []
    let found = 0
    for (const { id: company, models } of (await waitForUpdate()) ?? []) {
      const list = (await priceListOf(company)) ?? []
      for (const name of models.flatMap(({ id }) => writings(id))) {
        const theirs = calcPrice({}, name, { providerId: company })?.model.id
        if (theirs !== findModel(list, name)?.id) different.push(`${company} ${name}: ${theirs}`)
        if (theirs !== undefined) found++
      }
    }
    expect(different).to.deep.equal([])
    expect(found).to.be.greaterThan(1000)
  })

  it('have the price that the library has at the time', async function () {
    this.timeout(60_000)
    const different: string[] = []
    let changing = 0
    for (const { id: company, models } of (await waitForUpdate()) ?? []) {
      const list = (await priceListOf(company)) ?? []
      for (const { id, prices } of models) {
        if (Array.isArray(prices)) changing++
        for (const timestamp of TIMES) {
          const theirs = calcPrice({}, id, { providerId: company, timestamp })
          const model = findModel(list, id)
          const ours = model && priceAt(model, timestamp)
          const [input, base] = [ours?.input, theirs?.model_price['input_mtok']]
          const expected = typeof base === 'object' ? base.base : base
          if (input !== expected) different.push(`${company} ${id} ${timestamp.toISOString()}`)
        }
      }
    }
    expect(different).to.deep.equal([])
    expect(changing).to.be.greaterThan(0)
  })

  it('are none for a company that the library does not have', async () => {
    expect(await priceListOf('nobody')).to.equal(undefined)
    expect(await priceListOf('constructor')).to.equal(undefined)
  })
})
