import type { Config, ModelInfo } from '@braidwork/plugin'
import type { TrimSettings } from './settings.ts'

/** How many tokens a request may have, and why. */
export interface Room {
  readonly tokens: number
  readonly why: string
}

/** Models whose tokenizer is known, by their names; all others have one of their own. */
const COUNTED = /(^|\/)(gpt-|chatgpt|codex|o\d)/
const MARGIN = { counted: 0.05, other: 0.2 }

/** The room for messages and tools; endless where neither a window nor a limit is known. */
export function roomOf(config: Config, modelInfo: ModelInfo, settings: TrimSettings): Room {
  const { max_tokens: most, context_window: window = positive(modelInfo.contextWindow) } = settings
  const inWindow = window === undefined ? ENDLESS : roomIn(window, { config, modelInfo, settings })
  if (most === undefined || inWindow.tokens <= most) return inWindow
  return { tokens: most, why: '"max_tokens" of "trim-history"' }
}

const ENDLESS: Room = { tokens: Number.POSITIVE_INFINITY, why: 'no window is known' }

interface Request {
  readonly config: Config
  readonly modelInfo: ModelInfo
  readonly settings: TrimSettings
}

function roomIn(window: number, request: Request): Room {
  const { config, settings } = request
  const answer = answerOf(window, request)
  const share = settings.margin ?? MARGIN[COUNTED.test(config.model ?? '') ? 'counted' : 'other']
  const margin = Math.ceil(window * share)
  return {
    tokens: Math.max(0, window - answer - margin),
    why: `a window of ${shown(window)}, less ${shown(answer)} for the answer and a margin of ${shown(margin)}`,
  }
}

/** Tokens that the answer may take: as asked for, or the largest that the model gives. */
function answerOf(window: number, { config, modelInfo, settings }: Request): number {
  const { max_output_tokens: asked, reasoning_effort: effort } = config
  // A budget to think with comes on top of the limit.
  if (asked !== undefined) return asked + (typeof effort === 'number' ? effort : 0)
  const largest = positive(modelInfo.maxOutputTokens) ?? window
  // Where a model may fill its window with the answer, the two share it.
  return settings.answer_tokens ?? (largest <= window / 2 ? largest : Math.floor(window / 4))
}

/** What a provider says of a model nobody has checked. */
function positive(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : undefined
}

export function shown(tokens: number): string {
  return tokens.toLocaleString('en-US')
}
