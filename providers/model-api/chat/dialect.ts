import type { JsonObject } from '@braidwork/plugin'
import type { CallIds } from '../history.ts'

/** What a request can say of tools: to call none, any, or one by its name. */
export type Choice = 'none' | 'required' | 'named'

export type FileKind = 'image' | 'audio' | 'pdf' | 'document'

/** How a server's chat completions differ from the common format, as data. What is read needs none: `chunks.ts` takes every form. */
export interface ChatDialect {
  /** The name of the limit on output tokens. */
  readonly maxTokens: 'max_completion_tokens' | 'max_tokens'
  /** Whether instructions to a model that reasons have the role "developer". */
  readonly hasDeveloper: boolean
  /** Whether models that reason refuse a temperature, or pass over it, unless they are told not to reason. */
  readonly refusesTemperature: boolean
  /** Whether models that reason refuse stop sequences, unless they are told not to reason. */
  readonly refusesStop: boolean
  readonly seed: 'seed' | 'random_seed' | 'none'
  /** Its word for "call a tool, whichever". */
  readonly required: 'required' | 'any'
  /** What it can be told of tools beside "auto". */
  readonly choices: readonly Choice[]
  /** The same while a model reasons. */
  readonly choicesReasoning: readonly Choice[]
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
  /** A field that each answer in a history must have where the model reasons, though it be empty. */
  readonly requiredReasoning?: string
  readonly callIds: CallIds
  /** Whether a user may speak directly behind the results of tools. */
  readonly hasUserAfterTools: boolean
  /** Kinds of files that it takes. */
  readonly files: readonly FileKind[]
  /** Kinds of files that may stand at an address, and not in the request. */
  readonly urls: readonly ('image' | 'document')[]
  /** How a document stands in a message. */
  readonly documents: 'file' | 'document_url'
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

export const MEGABYTE = 1024 * 1024

const EVERY_CHOICE = ['none', 'required', 'named'] as const

/** What most servers take, and so what is assumed of one that is not known. */
export const COMMON: ChatDialect = {
  maxTokens: 'max_tokens',
  hasDeveloper: false,
  refusesTemperature: false,
  refusesStop: false,
  seed: 'seed',
  required: 'required',
  choices: EVERY_CHOICE,
  choicesReasoning: EVERY_CHOICE,
  hasStrictTools: false,
  hasParallelToolCalls: true,
  formats: ['json', 'json-schema'],
  asksForUsage: true,
  efforts: efforts('reasoning_effort', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
  reasoning: {},
  returnsReasoning: 'with-calls',
  callIds: { pattern: /^[\w-]+$/, longest: 64 },
  hasUserAfterTools: true,
  files: ['image', 'audio', 'document'],
  urls: ['image'],
  documents: 'file',
  largestFile: 20 * MEGABYTE,
}
