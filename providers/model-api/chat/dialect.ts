import type { JsonObject } from '@braidwork/plugin'
import type { CallIds } from '../history.ts'

/** The tool choices a request can express besides "auto": call none, call any, or call one by name. */
export type Choice = 'none' | 'required' | 'named'

export type FileKind = 'image' | 'audio' | 'pdf' | 'document'

/**
 * The differences between a server's chat completions API and the common format, as data. Only requests need it:
 * `chunks.ts` reads every known form of answer.
 */
export interface ChatDialect {
  /** The name of the field that limits output tokens. */
  readonly maxTokens: 'max_completion_tokens' | 'max_tokens'
  /** Whether instructions for a reasoning model have the role "developer". */
  readonly hasDeveloper: boolean
  /** Whether a model refuses or ignores the temperature while it reasons. */
  readonly refusesTemperature: boolean
  /** Whether a model refuses stop sequences while it reasons. */
  readonly refusesStop: boolean
  readonly seed: 'seed' | 'random_seed' | 'none'
  /** The server's word for "call any tool". */
  readonly required: 'required' | 'any'
  /** The tool choices that the server supports besides "auto". */
  readonly choices: readonly Choice[]
  /** The tool choices that it supports while a model reasons. */
  readonly choicesReasoning: readonly Choice[]
  /** Whether a function may have the field `strict`, so that calls must follow its schema. */
  readonly hasStrictTools: boolean
  readonly hasParallelToolCalls: boolean
  /** The supported response formats. Another format becomes the nearest of them, with a warning. */
  readonly formats: readonly ('json' | 'json-schema')[]
  /** Whether a stream reports usage only on request. */
  readonly asksForUsage: boolean
  /** The body fields for each supported reasoning effort. */
  readonly efforts: { readonly [effort: string]: JsonObject }
  /** Additional body fields for a reasoning model. */
  readonly reasoning: JsonObject
  /** When a model's reasoning is sent back to it: never, in messages with tool calls, or always. */
  readonly returnsReasoning: 'never' | 'with-calls' | 'always'
  /** A field that each assistant message in the history must have while the model reasons, even if it is empty. */
  readonly requiredReasoning?: string
  readonly callIds: CallIds
  /**
   * Whether the arguments of earlier calls may be any text. By default they must be a JSON object: chat templates parse
   * them, and a server refuses all requests of a conversation with others.
   */
  readonly takesAnyArguments?: boolean
  /** Whether a user message may directly follow tool results. */
  readonly hasUserAfterTools: boolean
  /** The supported kinds of files. */
  readonly files: readonly FileKind[]
  /** The kinds of files that may be given by URL instead of inline. */
  readonly urls: readonly ('image' | 'document')[]
  /** The content part type for a document. */
  readonly documents: 'file' | 'document_url'
  /** The largest file size in bytes. */
  readonly largestFile: number
}

/** Efforts that the server takes by the same names, in one field of the body. */
export function efforts(
  field: string,
  ...names: readonly string[]
): { readonly [effort: string]: JsonObject } {
  return Object.fromEntries(names.map((name) => [name, { [field]: name }]))
}

export const MEGABYTE = 1024 * 1024

/** The longest id of a call that any server takes, in characters. Longer ones go back only to the server that made them. */
export const LONGEST_ID = 64

const EVERY_CHOICE = ['none', 'required', 'named'] as const

/** The features of most servers, assumed for a server that is not known. */
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
  // Servers make ids of any characters, such as "functions.weather:0" of Kimi, and their models know them.
  callIds: { pattern: /^[\s\S]+$/, longest: LONGEST_ID },
  hasUserAfterTools: true,
  files: ['image', 'audio', 'document'],
  urls: ['image'],
  documents: 'file',
  largestFile: 20 * MEGABYTE,
}
