import type { ModelInfo } from '@braidwork/plugin'
import type {
  ConditionalPrice,
  MatchLogic,
  ModelPrice,
  ModelInfo as PricedModel,
  Provider,
  TieredPrices,
} from '@pydantic/genai-prices'
import type { ListedModel, TimedPrice } from './price-list.ts'

// Loading the library takes as long as a short request, so the build replaces this module with the same lists as data
// (scripts/build/price-lists.ts). From source, the lists are made when they are first needed.

const lists = new Map<string, Promise<readonly ListedModel[] | undefined>>()

/** The price list of a company, by its id in @pydantic/genai-prices. Undefined if the library has no such company. */
export function priceListOf(id: string): Promise<readonly ListedModel[] | undefined> {
  const known = lists.get(id)
  if (known) return known
  const list = allPriceLists().then((all) => all.get(id))
  lists.set(id, list)
  return list
}

/** All price lists of the library. */
export async function allPriceLists(): Promise<ReadonlyMap<string, readonly ListedModel[]>> {
  const { waitForUpdate } = await import('@pydantic/genai-prices')
  const companies = (await waitForUpdate()) ?? []
  return new Map(companies.map((company) => [company.id, modelsOf(company, companies)]))
}

/** The models of a company, followed by those of the companies whose models it serves under the same ids. */
function modelsOf(company: Provider, all: readonly Provider[]): readonly ListedModel[] {
  const others = (company.fallback_model_providers ?? []).flatMap(
    (id) => all.find((other) => other.id === id)?.models ?? [],
  )
  return [...company.models, ...others].map(listed)
}

function listed({ id, match, context_window: contextWindow, prices }: PricedModel): ListedModel {
  return {
    id,
    match: match satisfies MatchLogic,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    prices: Array.isArray(prices) ? prices.map(timed) : [priceOf(prices)],
  }
}

function timed({ constraint, prices }: ConditionalPrice): TimedPrice {
  const price = priceOf(prices)
  if (constraint === undefined) return price
  if (constraint.type === 'start_date') {
    return { since: Date.parse(constraint.start_date), ...price }
  }
  const { start_time: from, end_time: to } = constraint
  return { daily: { from: secondOfDay(from), to: secondOfDay(to) }, ...price }
}

const TIME = /^(\d{2}):(\d{2}):(\d{2}(?:\.\d+)?)(?:Z|([+-])(\d{2}):(\d{2}))$/
const DAY = 86_400

/** The second of the day in UTC, of a time such as `01:00:00+08:00`. */
function secondOfDay(text: string): number {
  const [, hours, minutes, seconds, sign, offsetHours = 0, offsetMinutes = 0] =
    TIME.exec(text) ?? []
  if (hours === undefined) throw new Error(`The time "${text}" of a price is not known.`)
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60 * (sign === '-' ? -1 : 1)
  const second = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return (second - offset + DAY) % DAY
}

const RATES = [
  ['input', 'input_mtok'],
  ['output', 'output_mtok'],
  ['cacheRead', 'cache_read_mtok'],
  ['cacheWrite', 'cache_write_mtok'],
] as const

/** The token prices. A model that is priced by the hour or the page has none. */
function priceOf(prices: ModelPrice): { readonly price?: ModelInfo['price'] } {
  const base = ratesFor(prices, 0)
  if (Object.keys(base).length === 0) return {}
  const starts = RATES.flatMap(([, key]) => tiersOf(prices[key]).map(({ start }) => start))
  const tiers = [...new Set(starts)]
    .sort((one, other) => one - other)
    .map((over) => ({ over, ...ratesFor(prices, over) }))
  return { price: tiers.length > 0 ? { ...base, tiers } : base }
}

/** The rates for a request with more input tokens than `over`. */
function ratesFor(prices: ModelPrice, over: number): { readonly [rate: string]: number } {
  const rates = RATES.map(([rate, key]) => [rate, rateFor(prices[key], over)] as const)
  return Object.fromEntries(
    rates.filter((pair): pair is typeof pair & [string, number] => pair[1] !== undefined),
  )
}

function rateFor(price: number | TieredPrices | undefined, over: number): number | undefined {
  if (price === undefined || typeof price === 'number') return price
  const reached = price.tiers.filter(({ start }) => start <= over)
  const highest = reached.sort((one, other) => one.start - other.start).at(-1)
  return highest?.price ?? price.base
}

function tiersOf(price: number | TieredPrices | undefined): TieredPrices['tiers'] {
  return typeof price === 'object' ? price.tiers : []
}
