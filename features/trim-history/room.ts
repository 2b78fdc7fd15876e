import type { Config, ModelInfo } from '@braidwork/plugin'
import type { RoomSettings } from './settings.ts'

/** The number of tokens that a request may have, and the reason. */
export interface Room {
  readonly tokens: number
  readonly why: string
}

/** Matches models whose tokenizer is known. Other models are counted with an estimate. */
const COUNTED = /(^|\/)(gpt-|chatgpt|codex|o\d)/
const MARGIN = { counted: 0.05, other: 0.2 }

/** The room for messages and tools; infinite if neither a context window nor a limit is known. */
export function roomOf(config: Config, modelInfo: ModelInfo, settings: RoomSettings): Room {
  const { max_tokens: most, context_window: window = positive(modelInfo.contextWindow) } = settings
  const inWindow = window === undefined ? ENDLESS : roomIn(window, { config, modelInfo, settings })
  if (most === undefined || inWindow.tokens <= most) return inWindow
  return { tokens: most, why: '"max_tokens" of "trim-history"' }
}

const ENDLESS: Room = { tokens: Number.POSITIVE_INFINITY, why: 'no context window is known' }

interface Request {
  readonly config: Config
  readonly modelInfo: ModelInfo
  readonly settings: RoomSettings
}

function roomIn(window: number, request: Request): Room {
  const { config, settings } = request
  const answer = answerOf(window, request)
  const share = settings.margin ?? MARGIN[COUNTED.test(config.model ?? '') ? 'counted' : 'other']
  const margin = Math.ceil(window * share)
  return {
    tokens: Math.max(0, window - answer - margin),
    why: `a context window of ${shown(window)}, minus ${shown(answer)} for the answer and a margin of ${shown(margin)}`,
  }
}

/** The tokens reserved for the answer: the config's limit, or the model's maximum output. */
function answerOf(window: number, { config, modelInfo, settings }: Request): number {
  const { max_output_tokens: asked, reasoning_effort: effort } = config
  // A provider may add a thinking budget to the limit.
  if (asked !== undefined) return asked + (typeof effort === 'number' ? effort : 0)
  const largest = positive(modelInfo.maxOutputTokens) ?? window
  // If the maximum output is most of the window, only a part of the window is reserved.
  return settings.answer_tokens ?? (largest <= window / 2 ? largest : Math.floor(window / 4))
}

/** A provider's figures are unchecked, so only positive numbers count. */
function positive(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : undefined
}

export function shown(tokens: number): string {
  return tokens.toLocaleString('en-US')
}
