import type { ModelInfo } from '@braidwork/plugin'
import { findModel, priceAt } from './price-list.ts'
import { priceListOf } from './price-lists.ts'

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
 * A company's price list is loaded at the first call. Unknown data is absent. No network access.
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

/** The data on a model in a company's price list, with the price of the time. */
async function lookUp(list: string, name: string, time: Date): Listed {
  const model = findModel((await priceListOf(list)) ?? [], name)
  if (!model || !isSame(name, model.id)) return undefined
  const { contextWindow } = model
  const price = priceAt(model, time)
  return {
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(price === undefined ? {} : { price: frozen(price) }),
  }
}

/** All requests of a minute share the object. */
function frozen<P extends NonNullable<ModelInfo['price']>>(price: P): P {
  for (const tier of price.tiers ?? []) Object.freeze(tier)
  Object.freeze(price.tiers)
  return Object.freeze(price)
}

const STAMP = /^(-latest|-\d{4,8}|-\d{4}-\d{2}-\d{2})?$/

/** Whether the library found the right model: it also finds "sonnet-5" for "sonnet-5-5". Only a date may differ. */
function isSame(id: string, listed: string): boolean {
  return !id.startsWith(listed) || STAMP.test(id.slice(listed.length))
}
