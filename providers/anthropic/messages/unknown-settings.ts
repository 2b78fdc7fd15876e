import type { RequestInput, Sampling } from '@braidwork/model-api/exchange'
import { isObject } from '@braidwork/plugin'

const UNKNOWN = ['presence_penalty', 'frequency_penalty', 'logit_bias', 'metadata'] as const

/**
 * Warns of the neutral keys that the API does not have. A penalty of 0 and an empty object are the defaults, which
 * clients often send.
 */
export function warnOfUnknown(sampling: Sampling, warn: RequestInput['warn']): void {
  if (sampling.seed !== undefined) warn('The messages API takes no seed: "seed" is left out.')
  const names = UNKNOWN.filter((name) => {
    const given = sampling[name]
    return isObject(given) ? Object.keys(given).length > 0 : Boolean(given)
  })
  if (names.length > 0) warn(`The messages API takes no ${names.join(', ')}: left out.`)
}
