import type { Result } from '@braidwork/core'
import { HostError, type Message, type ModelInfo } from '@braidwork/plugin'
import { dollarsFor } from './price.ts'
import { tokensIn } from './tokens.ts'

/** Tokens that a model thinks in a second, about, where it does not show them. */
const THOUGHT = 40
/** Most tokens of an answer, where nobody says what its model's most are. */
const MOST_OUTPUT = 16_384

/** One request of a run, with what came of it. */
export interface MeteredStep {
  readonly result: Result
  readonly modelInfo: ModelInfo
  /** Tokens of what was asked, about. */
  readonly input: number
  readonly seconds: number
  /** Most tokens that its answer may have, where they are set. */
  readonly maxOutput: number | undefined
}

/**
 * What a step cost in US dollars: what a plugin says of the whole answer, or what its usage comes to. What is
 * not known of it, as where it was cut, is an estimate; without prices nothing can be said, and it is 0.
 */
export function costOfStep(step: MeteredStep): number {
  const { result, modelInfo } = step
  const told = toldCost(result.messages)
  if (result.status === 'done' && told > 0) return told
  if (!isCharged(result)) return 0
  const { usage, messages } = result
  const cached = { cacheRead: usage.cacheRead ?? 0, cacheWrite: usage.cacheWrite ?? 0 }
  const isWhole = result.status === 'done'
  const seen = tokensIn(messages)
  const known = usage.output ?? 0
  const output = isWhole && known > 0 ? known : Math.max(known, seen, isWhole ? 0 : thoughtIn(step))
  const tokens = { ...cached, input: usage.input || step.input, output }
  return Math.max(told, dollarsFor(tokens, modelInfo.price) ?? 0)
}

/** What a request may cost at most, as far as its model is known. */
export function mostOfStep({
  modelInfo,
  input,
  maxOutput,
}: Pick<MeteredStep, 'modelInfo' | 'input' | 'maxOutput'>): number {
  const tokens = { input, output: mostOutput(modelInfo, maxOutput) }
  return dollarsFor(tokens, modelInfo.price) ?? 0
}

function mostOutput({ maxOutputTokens }: ModelInfo, maxOutput: number | undefined): number {
  if (maxOutput === undefined) return maxOutputTokens ?? MOST_OUTPUT
  return Math.min(maxOutput, maxOutputTokens ?? maxOutput)
}

/** What a model may have thought unseen while it answered. */
function thoughtIn({ modelInfo, seconds, maxOutput }: MeteredStep): number {
  return Math.min(Math.ceil(seconds * THOUGHT), mostOutput(modelInfo, maxOutput))
}

/** An API that refused, or failed before it said anything, asks no money for it. */
function isCharged({ status, messages, error }: Result): boolean {
  if (status === 'done' || status === 'aborted') return true
  return messages.some(({ parts }) => parts.length > 0) || isSilence(error)
}

function isSilence(error: HostError | undefined): boolean {
  return HostError.is(error) && error.code === 'TIMEOUT'
}

/** What plugins say that the messages cost. */
function toldCost(messages: readonly Message[]): number {
  let sum = 0
  for (const { metadata } of messages) {
    const cost = metadata?.['cost']
    const total = typeof cost === 'object' && cost && 'total' in cost ? cost.total : 0
    if (typeof total === 'number' && total > 0 && Number.isFinite(total)) sum += total
  }
  return sum
}
