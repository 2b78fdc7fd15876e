import { isObject } from '@braidwork/plugin'
import type { JsonRecord, Metadata } from './answer-types.ts'
import type { ProviderOptions } from './call-types.ts'

/** The key under which the AI SDK keeps our values. Values of its own providers have other keys, and other forms. */
const OWN = 'braidwork'

/** Provider metadata of a part of an answer. The AI SDK sends it back with the next prompt. */
export function toMetadata(values: object | undefined): { providerMetadata?: Metadata } {
  // Parts of an answer are JSON: the host has checked them.
  return values === undefined ? {} : { providerMetadata: { [OWN]: values as JsonRecord } }
}

/** The provider metadata that {@link toMetadata} gave a part of an earlier answer. */
export function ownMetadata(options: ProviderOptions | undefined): {
  providerMetadata?: { readonly [provider: string]: unknown }
} {
  const own = ownOptions(options)
  return own ? { providerMetadata: own } : {}
}

/** The values of a part or of a call that are for us. */
export function ownOptions(
  options: ProviderOptions | undefined,
): { readonly [key: string]: unknown } | undefined {
  const own = options?.[OWN]
  return isObject(own) ? own : undefined
}
