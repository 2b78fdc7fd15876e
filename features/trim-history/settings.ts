import type { Config } from '@braidwork/plugin'

export interface TrimSettings {
  readonly context_window?: number
  readonly max_tokens?: number
  readonly answer_tokens?: number
  readonly margin?: number
  readonly max_result_tokens?: number
  readonly note: string
}

/** Marks the cut. The text does not vary, so that a cached prompt stays valid. */
const NOTE = '[Earlier messages of this conversation were left out here.]'
const MOST_TOKENS = 1_000_000_000

const RANGES = {
  context_window: { least: 1, most: MOST_TOKENS },
  max_tokens: { least: 1, most: MOST_TOKENS },
  answer_tokens: { least: 0, most: MOST_TOKENS },
  max_result_tokens: { least: 100, most: MOST_TOKENS },
} as const

const tokens = (name: keyof typeof RANGES, title: string, description: string) => ({
  type: 'integer',
  minimum: RANGES[name].least,
  maximum: RANGES[name].most,
  title,
  description,
})

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    context_window: tokens(
      'context_window',
      'Window',
      'The context window in tokens, if the provider does not know it or reports it wrongly',
    ),
    max_tokens: tokens(
      'max_tokens',
      'Most tokens',
      'Maximum number of tokens of a request (messages and tools), however large the window is',
    ),
    answer_tokens: tokens(
      'answer_tokens',
      'Room for the answer',
      'Tokens kept free for the answer where "max_output_tokens" is not set',
    ),
    margin: {
      type: 'number',
      minimum: 0,
      maximum: 0.9,
      title: 'Margin',
      description: 'Share of the window kept free, because token counts are estimates',
    },
    max_result_tokens: tokens(
      'max_result_tokens',
      'Longest result',
      'Maximum number of tokens of the preview of a stored tool result; the middle of a longer one is removed. Not set: no limit',
    ),
    note: {
      type: 'string',
      maxLength: 1000,
      default: NOTE,
      title: 'Note',
      description: 'Note for the model in place of removed messages; "" in the config turns it off',
    },
  },
  additionalProperties: false,
} as const

/** @throws SETTINGS_INVALID */
export function readSettings(config: Config): TrimSettings {
  const settings = config.settings?.['trim-history'] ?? {}
  const { note = NOTE, margin } = settings
  if (typeof note !== 'string') throw invalid('note', 'must be a text')
  if (margin !== undefined && !isWithin(margin, 0, 0.9))
    throw invalid('margin', 'must be a share from 0 to 0.9')
  for (const [name, { least, most }] of Object.entries(RANGES)) {
    const value = settings[name]
    if (value !== undefined && !(Number.isInteger(value) && isWithin(value, least, most)))
      throw invalid(name, `must be a whole number of tokens from ${least} to ${most}`)
  }
  return { ...settings, note }
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most
}

function invalid(key: string, reason: string): Error {
  const pointer = `/settings/trim-history/${key}`
  const message = `Setting "${pointer}" of feature "trim-history" is invalid: it ${reason}.`
  return Object.assign(new Error(message), { code: 'SETTINGS_INVALID', pointer })
}
