import type { ModelInfo, Usage } from '@braidwork/plugin'

/** In US dollars. */
export interface Cost {
  /** The parts of the total; absent where an API reports a total for a model without known prices. */
  readonly input?: number
  readonly output?: number
  readonly total: number
  readonly currency: 'USD'
}

type Price = NonNullable<ModelInfo['price']>

const MILLION = 1_000_000
/** Decimal places to which costs are rounded; beyond them is only floating-point noise. */
const DIGITS = 12

/**
 * The cost of a usage: the one that the API reports, or else by the prices of the model. `undefined` if a count or price
 * is unknown, or the counts contradict each other.
 */
export function costOf(usage: Usage | undefined, price: Price | undefined): Cost | undefined {
  const priced = pricedCost(usage, price)
  const reported = reportedIn(usage?.raw)
  return reported === undefined ? priced : withTotal(reported, priced)
}

function pricedCost(usage: Usage | undefined, price: Price | undefined): Priced | undefined {
  const { input: tokens, output: written } = usage ?? {}
  if (tokens === undefined || written === undefined || price === undefined) return undefined
  const { input: rate, output: outputRate, cacheRead, cacheWrite } = ratesFor(price, tokens)
  if (rate === undefined || outputRate === undefined) return undefined
  const { cacheRead: read = 0, cacheWrite: stored = 0, raw } = usage ?? {}
  const fresh = tokens - read - stored
  const long = longStored(raw)
  if (fresh < 0 || long > stored) return undefined
  // Without cache prices the cache costs as much as other input. Storing for an hour costs double (Anthropic).
  const cached = read * (cacheRead ?? rate) + (stored - long) * (cacheWrite ?? rate)
  return toCost(
    (fresh * rate + cached + long * 2 * rate) / MILLION,
    (written * outputRate) / MILLION,
  )
}

export function addCost(left: Cost, right: Cost): Cost {
  if (isSplit(left) && isSplit(right)) {
    return toCost(left.input + right.input, left.output + right.output)
  }
  return { total: rounded(left.total + right.total), currency: 'USD' }
}

type Priced = Required<Cost>

function isSplit(cost: Cost): cost is Priced {
  return cost.input !== undefined && cost.output !== undefined
}

/** A reported total, in the proportion of the prices if they are known. */
function withTotal(total: number, priced: Priced | undefined): Cost {
  if (!priced || priced.total === 0) return { total: rounded(total), currency: 'USD' }
  const input = total * (priced.input / priced.total)
  return toCost(input, total - input)
}

/** The dollars that OpenRouter reports. With a key of the user's own, another bill has what the model itself cost. */
function reportedIn(raw: unknown): number | undefined {
  const cost = dollarsIn(memberOf(raw, 'cost'))
  if (cost === undefined || memberOf(raw, 'is_byok') !== true) return cost
  const upstream = memberOf(memberOf(raw, 'cost_details'), 'upstream_inference_cost')
  return cost + (dollarsIn(upstream) ?? 0)
}

function dollarsIn(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : undefined
}

function toCost(input: number, output: number): Priced {
  const total = rounded(input + output)
  return { input: rounded(input), output: rounded(output), total, currency: 'USD' }
}

function rounded(value: number): number {
  return Number(value.toFixed(DIGITS))
}

/** The price rates for a number of input tokens. */
function ratesFor({ tiers = [], ...base }: Price, tokens: number): Price {
  const reached = tiers.filter(({ over }) => tokens > over)
  return Object.assign({}, base, ...reached)
}

/** The tokens that Anthropic reports as stored for an hour. */
function longStored(raw: unknown): number {
  const written = memberOf(memberOf(raw, 'cache_creation'), 'ephemeral_1h_input_tokens')
  return typeof written === 'number' && written > 0 ? written : 0
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as { readonly [name: string]: unknown })[name]
    : undefined
}
