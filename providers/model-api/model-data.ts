import type { ModelInfo } from '@braidwork/plugin'
import type { ModelPrice, TieredPrices } from '@pydantic/genai-prices'

/** The provider's own data on a model, which takes precedence over the price library. */
export interface KnownModel extends ModelInfo {
  /** The id to look up in the library, if the library has no current data under the model's own id. */
  readonly listedAs?: string
}

export interface ModelSource {
  /** The library's id of the company that serves the model. */
  readonly list: string
  readonly known?: KnownModel | undefined
  /** The time for which the price is looked up, since prices may vary by day and hour; by default now. */
  readonly at?: Date
}

const DATE = /-(\d{4}-\d{2}-\d{2}|\d{8})$/

/** A model id without the date of its snapshot. */
export function withoutDate(id: string): string {
  return id.replace(DATE, '')
}

/**
 * The known data of a model: the provider's own entry, completed with window and price from @pydantic/genai-prices.
 * The library is loaded at the first call. Unknown data is absent. No network or file access.
 */
export async function modelData(
  id: string,
  { list, known = {}, at }: ModelSource,
): Promise<ModelInfo> {
  const { listedAs, ...own } = known
  for (const name of listedAs ? [listedAs] : [id, withoutDate(id)]) {
    const listed = at ? await lookUp(list, name, at) : await recently(list, name)
    if (!listed) continue
    return { ...listed, ...own }
  }
  return own
}

/** Milliseconds for which a lookup is cached. Each request looks up prices, which may change by the hour. */
const FRESH = 60_000
const MOST = 1000

const found = new Map<string, { readonly info: Listed; readonly until: number }>()

type Listed = Promise<ModelInfo | undefined>

/** `lookUp` for the present time, cached per model for a minute. */
function recently(list: string, name: string): Listed {
  const now = performance.now()
  const key = `${list} ${name}`
  const known = found.get(key)
  if (known && known.until > now) return known.info
  if (found.size >= MOST) found.clear()
  const info = lookUp(list, name, new Date())
  found.set(key, { info, until: now + FRESH })
  return info
}

/** The library's data on a model. The library picks the price for the time; the usage is zero, so no cost results. */
async function lookUp(list: string, name: string, timestamp: Date): Listed {
  const { calcPrice } = await import('@pydantic/genai-prices')
  const listed = calcPrice({}, name, { providerId: list, timestamp })
  if (!listed || !isSame(name, listed.model.id)) return undefined
  return { ...windowOf(listed.model), ...priceOf(listed.model_price) }
}

const STAMP = /^(-latest|-\d{4,8}|-\d{4}-\d{2}-\d{2})?$/

/** Whether the library found the right model: it also finds "sonnet-5" for "sonnet-5-5". Only a date may differ. */
function isSame(id: string, listed: string): boolean {
  return !id.startsWith(listed) || STAMP.test(id.slice(listed.length))
}

function windowOf({
  context_window: contextWindow,
}: {
  readonly context_window?: number
}): ModelInfo {
  return contextWindow === undefined ? {} : { contextWindow }
}

const RATES = [
  ['input', 'input_mtok'],
  ['output', 'output_mtok'],
  ['cacheRead', 'cache_read_mtok'],
  ['cacheWrite', 'cache_write_mtok'],
] as const

/** The token prices. A model that is priced by the hour or the page has none. */
function priceOf(prices: ModelPrice): ModelInfo {
  const base = ratesFor(prices, 0)
  if (Object.keys(base).length === 0) return {}
  const starts = RATES.flatMap(([, key]) => tiersOf(prices[key]).map(({ start }) => start))
  const tiers = [...new Set(starts)]
    .sort((one, other) => one - other)
    .map((over) => ({ over, ...ratesFor(prices, over) }))
  // Frozen, since all requests of a minute share the object.
  return { price: Object.freeze(tiers.length > 0 ? { ...base, tiers: frozen(tiers) } : base) }
}

function frozen<T extends object>(list: readonly T[]): readonly T[] {
  return Object.freeze(list.map((item) => Object.freeze(item)))
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
