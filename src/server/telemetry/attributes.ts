import type { RunEvent, Usage } from '@braidwork/plugin'
import type { Attributes } from './api.ts'

export type EventOf<T extends RunEvent['type']> = RunEvent & { readonly type: T }

/** The name of the tracer and the meter, and the prefix of attributes that the conventions do not have. */
export const NAMESPACE = 'braidwork'

/** The most characters of an attribute with content. */
const LONGEST = 1 << 16

/** Content as an attribute. */
export function jsonOf(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').slice(0, LONGEST)
}

export function usageOf({ input, output }: Usage): Attributes {
  return {
    ...(input === undefined ? {} : { 'gen_ai.usage.input_tokens': input }),
    ...(output === undefined ? {} : { 'gen_ai.usage.output_tokens': output }),
  }
}
