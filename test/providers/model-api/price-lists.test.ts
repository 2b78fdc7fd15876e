import { calcPrice, type Provider, waitForUpdate } from '@pydantic/genai-prices'
import { expect } from 'chai'
import { findModel, type ListedModel, priceAt } from '../../../providers/model-api/price-list.ts'
import { priceListOf } from '../../../providers/model-api/price-lists.ts'
import { HAS_ALL_CASES, sampled } from '../../helpers/cases.ts'

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

/** How many of the names that are tried the library finds at least. */
const LEAST_FOUND = HAS_ALL_CASES ? 1000 : 70

/** An id as it is, and as other servers and snapshots write it. */
function writings(id: string): readonly string[] {
  return [id, id.toUpperCase(), ` ${id} `, `${id}-20260131`, `${id}-20260231`, `x${id}`, `${id}-x`]
}

/** What servers may call these models, or a sample of it. */
function namesOf(models: Provider['models']): readonly string[] {
  return models.flatMap(({ id }, at) => sampled(writings(id), 14, at))
}

function hasSeveralPrices({ prices }: Provider['models'][number]): boolean {
  return Array.isArray(prices)
}

/** The models of a company whose price is another in our list, and the time. */
async function pricedDifferently({ id: company, models }: Provider): Promise<readonly string[]> {
  const list = (await priceListOf(company)) ?? []
  return models.flatMap(({ id }, at) =>
    sampled(TIMES, 4, at)
      .filter((time) => inputIn(list, id, time) !== inputOf(company, id, time))
      .map((time) => `${company} ${id} ${time.toISOString()}`),
  )
}

function inputIn(list: readonly ListedModel[], id: string, time: Date): number | undefined {
  const model = findModel(list, id)
  return model && priceAt(model, time)?.input
}

/** The library's price of input tokens, for a short request. */
function inputOf(providerId: string, id: string, timestamp: Date): number | undefined {
  const price = calcPrice({}, id, { providerId, timestamp })?.model_price['input_mtok']
  return typeof price === 'object' ? price.base : price
}

describe('the price lists', () => {
  it('find the models that the library finds, in every company, however the id is written', async function () {
    this.timeout(60_000)
    const different: string[] = []
    let found = 0
    for (const { id: company, models } of (await waitForUpdate()) ?? []) {
      const list = (await priceListOf(company)) ?? []
      for (const name of namesOf(models)) {
        const theirs = calcPrice({}, name, { providerId: company })?.model.id
        if (theirs !== findModel(list, name)?.id) different.push(`${company} ${name}: ${theirs}`)
        if (theirs !== undefined) found++
      }
    }
    expect(different).to.deep.equal([])
    expect(found).to.be.greaterThan(LEAST_FOUND)
  })

  it('have the price that the library has at the time', async function () {
    this.timeout(60_000)
    const companies = (await waitForUpdate()) ?? []
    const different = await Promise.all(companies.map(pricedDifferently))
    expect(different.flat()).to.deep.equal([])
    const changing = companies.flatMap(({ models }) => models).filter(hasSeveralPrices)
    expect(changing).not.to.deep.equal([])
  })

  it('are none for a company that the library does not have', async () => {
    expect(await priceListOf('nobody')).to.equal(undefined)
    expect(await priceListOf('constructor')).to.equal(undefined)
  })
})
