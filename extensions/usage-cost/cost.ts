import type { ModelInfo, Usage } from '@braidwork/plugin'

/** In US dollars. */
export interface Cost {
  readonly input: number
  readonly output: number
  readonly total: number
  readonly currency: 'USD'
}

type Price = NonNullable<ModelInfo['price']>

const MILLION = 1_000_000
/** Decimal places to which costs are rounded; beyond them is only floating-point noise. */
const DIGITS = 12

/** The cost of a usage; `undefined` if a count or price is unknown, or the counts contradict each other. */
export function costOf(usage: Usage | undefined, price: Price | undefined): Cost | undefined {
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
  return toCost(left.input + right.input, left.output + right.output)
}

function toCost(input: number, output: number): Cost {
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
