import type { ModelInfo, Usage } from '@braidwork/plugin'

export type Price = NonNullable<ModelInfo['price']>

/** Numbers of tokens, known or estimated. */
export type Tokens = Pick<Usage, 'cacheRead' | 'cacheWrite'> & {
  readonly input: number
  readonly output: number
}

const MILLION = 1_000_000

/** Returns the price of tokens in US dollars, or undefined if the price of input or output is unknown. */
export function dollarsFor(tokens: Tokens, price: Price | undefined): number | undefined {
  if (price === undefined) return undefined
  const { input, output, cacheRead: read = 0, cacheWrite: written = 0 } = tokens
  const reached = (price.tiers ?? []).filter(({ over }) => input > over)
  const rates: Price = Object.assign({}, price, ...reached)
  if (rates.input === undefined || rates.output === undefined) return undefined
  const fresh = Math.max(0, input - read - written)
  const cached =
    read * (rates.cacheRead ?? rates.input) + written * (rates.cacheWrite ?? rates.input)
  return (fresh * rates.input + cached + output * rates.output) / MILLION
}
