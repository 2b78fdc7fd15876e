import type { CallIds } from '../history.ts'
import type { JsonObject } from '../json.ts'

/** How a server's chat completions differ from the common format, as data. What is read needs none: `chunks.ts` takes every form. */
export interface ChatDialect {
  /** The name of the limit on output tokens. */
  readonly maxTokens: 'max_completion_tokens' | 'max_tokens'
  /** Whether instructions to a model that reasons have the role "developer". */
  readonly hasDeveloper: boolean
  /** Whether models that reason refuse a temperature, unless they are told not to reason. */
  readonly refusesTemperature: boolean
  readonly seed: 'seed' | 'random_seed'
  /** Its word for "call a tool, whichever". */
  readonly required: 'required' | 'any'
  /** Whether a function may say that its schema is to be held strictly. */
  readonly hasStrictTools: boolean
  readonly hasParallelToolCalls: boolean
  /** The response formats that it takes; another becomes the nearest of them, with a warning. */
  readonly formats: readonly ('json' | 'json-schema')[]
  /** Whether a stream tells its usage only when asked. */
  readonly asksForUsage: boolean
  /** What the body says for each reasoning effort that the server takes. */
  readonly efforts: { readonly [effort: string]: JsonObject }
  /** Further fields for a model that reasons. */
  readonly reasoning: JsonObject
  /** When a model's own reasoning goes back to it: never, in messages with calls, or always. */
  readonly returnsReasoning: 'never' | 'with-calls' | 'always'
  readonly callIds: CallIds
  /** Kinds of files that it takes. */
  readonly files: readonly ('image' | 'audio' | 'document')[]
  /** Bytes of the largest file. */
  readonly largestFile: number
}

/** Efforts that a field of the body names as they are. */
export function efforts(
  field: string,
  ...names: readonly string[]
): { readonly [effort: string]: JsonObject } {
  return Object.fromEntries(names.map((name) => [name, { [field]: name }]))
}

const MEGABYTE = 1024 * 1024

/** What most servers take, and so what is assumed of one that is not known. */
export const COMMON: ChatDialect = {
  maxTokens: 'max_tokens',
  hasDeveloper: false,
  refusesTemperature: false,
  seed: 'seed',
  required: 'required',
  hasStrictTools: false,
  hasParallelToolCalls: true,
  formats: ['json', 'json-schema'],
  asksForUsage: true,
  efforts: efforts('reasoning_effort', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
  reasoning: {},
  returnsReasoning: 'with-calls',
  callIds: { pattern: /^[\w-]+$/, longest: 64 },
  files: ['image', 'audio', 'document'],
  largestFile: 20 * MEGABYTE,
}
