import type { ModelInfo } from '@braidwork/plugin'
import type { ModelPrice, TieredPrices } from '@pydantic/genai-prices'

/** What a provider's own table says of a model; it wins over the library. */
export interface KnownModel extends ModelInfo {
  /** The id that the library has current figures under, where those of this id are old or missing. */
  readonly listedAs?: string
}

export interface ModelSource {
  /** The library's id of who serves the model. */
  readonly list: string
  readonly known?: KnownModel | undefined
  /** When its price is asked for, as some change by the day and by the hour; by default now. */
  readonly at?: Date
}

const DATE = /-(\d{4}-\d{2}-\d{2}|\d{8})$/

/** The id of a model without the date of its snapshot. */
export function withoutDate(id: string): string {
  return id.replace(DATE, '')
}

/**
 * What is known of a model: the provider's own row, and beside it the window and the price of
 * @pydantic/genai-prices, which is loaded by the first question. What nobody knows is absent. No I/O.
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

/** Milliseconds for which what was found holds: prices change by the hour, and each request asks. */
const FRESH = 60_000
const MOST = 1000

const found = new Map<string, { readonly info: Listed; readonly until: number }>()

type Listed = Promise<ModelInfo | undefined>

/** `lookUp` for now, once a minute for each model. */
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

/** What the library lists of a model; it picks the price of the day, and nothing used costs nothing. */
async function lookUp(list: string, name: string, timestamp: Date): Listed {
  const { calcPrice } = await import('@pydantic/genai-prices')
  const listed = calcPrice({}, name, { providerId: list, timestamp })
  if (!listed || !isSame(name, listed.model.id)) return undefined
  return { ...windowOf(listed.model), ...priceOf(listed.model_price) }
}

const STAMP = /^(-latest|-\d{4,8}|-\d{4}-\d{2}-\d{2})?$/

/** The library takes any end of some ids, and so "sonnet-5-5" for "sonnet-5": only a date or "latest" may follow. */
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

/** Only prices of tokens; a model that is paid by the hour or the page has none. */
function priceOf(prices: ModelPrice): ModelInfo {
  const base = ratesFor(prices, 0)
  if (Object.keys(base).length === 0) return {}
  const starts = RATES.flatMap(([, key]) => tiersOf(prices[key]).map(({ start }) => start))
  const tiers = [...new Set(starts)]
    .sort((one, other) => one - other)
    .map((over) => ({ over, ...ratesFor(prices, over) }))
  // Frozen, as all requests of a minute are told of it.
  return { price: Object.freeze(tiers.length > 0 ? { ...base, tiers: frozen(tiers) } : base) }
}

function frozen<T extends object>(list: readonly T[]): readonly T[] {
  return Object.freeze(list.map((item) => Object.freeze(item)))
}

/** The rates of a request whose input is longer than so many tokens. */
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
