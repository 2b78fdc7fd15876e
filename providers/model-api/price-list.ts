import type { ModelInfo } from '@braidwork/plugin'

/** A condition on the id of a model. Case is ignored, except by `regex`. */
export type Match =
  | { readonly or: readonly Match[] }
  | { readonly and: readonly Match[] }
  | { readonly equals: string }
  | { readonly starts_with: string }
  | { readonly ends_with: string }
  | { readonly contains: string }
  | { readonly regex: string }

/** A model in a company's price list. */
export interface ListedModel {
  readonly id: string
  readonly match: Match
  readonly contextWindow?: number | undefined
  /** The last price whose time has come applies; the first one if there is none. */
  readonly prices: readonly TimedPrice[]
}

export interface TimedPrice {
  /** The price applies from this time on, in milliseconds since 1970. */
  readonly since?: number
  /** The price applies at these times of the day, in seconds of UTC. The range may include midnight. */
  readonly daily?: { readonly from: number; readonly to: number }
  /** Absent if the model is not priced by tokens. */
  readonly price?: ModelInfo['price']
}

const COMPACT_DATE = /(-)(20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=-|:|$)/g

/** The first model of a list that an id matches. A date in the id may be written with or without hyphens. */
export function findModel(list: readonly ListedModel[], id: string): ListedModel | undefined {
  const wanted = id.toLowerCase().trim()
  const dated = wanted.replace(COMPACT_DATE, (written, hyphen, year, month, day) =>
    isDate(year, month, day) ? `${hyphen}${year}-${month}-${day}` : written,
  )
  return (
    list.find(({ match }) => matches(match, wanted)) ??
    (dated === wanted ? undefined : list.find(({ match }) => matches(match, dated)))
  )
}

/** The price of a model at a time. */
export function priceAt({ prices }: ListedModel, time: Date): ModelInfo['price'] {
  const timed = prices.findLast((price) => applies(price, time)) ?? prices[0]
  return timed?.price
}

function applies({ since, daily }: TimedPrice, time: Date): boolean {
  if (since !== undefined) return time.getTime() >= since
  if (daily === undefined) return true
  const second = (time.getTime() / 1000) % DAY
  const { from, to } = daily
  return to < from ? second >= from || second < to : second >= from && second < to
}

/** The seconds of a day. */
const DAY = 86_400

function matches(match: Match, id: string): boolean {
  if ('or' in match) return match.or.some((one) => matches(one, id))
  if ('and' in match) return match.and.every((one) => matches(one, id))
  if ('equals' in match) return id === match.equals.toLowerCase()
  if ('starts_with' in match) return id.startsWith(match.starts_with.toLowerCase())
  if ('ends_with' in match) return id.endsWith(match.ends_with.toLowerCase())
  if ('contains' in match) return id.includes(match.contains.toLowerCase())
  return new RegExp(match.regex).test(id)
}

function isDate(year: string, month: string, day: string): boolean {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}
