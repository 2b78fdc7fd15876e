import { dollarsFor, type Tokens, tokensIn } from '@braidwork/agent/internal'
import type { Result } from '@braidwork/core'
import { HostError, type Message, type ModelInfo } from '@braidwork/plugin'
import type { Amounts } from '../access/index.ts'

/** The approximate number of tokens per second that a model spends on hidden reasoning. */
const THOUGHT = 40
/** The assumed maximum number of output tokens of a model whose limit is unknown. */
const MOST_OUTPUT = 16_384

/** One request of a run, with its result. */
export interface MeteredStep {
  readonly result: Result
  readonly modelInfo: ModelInfo
  /** The approximate number of input tokens. */
  readonly input: number
  readonly seconds: number
  /** The configured maximum number of output tokens, if any. */
  readonly maxOutput: number | undefined
}

/**
 * Returns the tokens of a request and its cost in US dollars: the amount that a plugin reports for a complete
 * response, or else the price of its usage. Unknown usage, for example of a response cut short, is estimated. Without
 * prices the cost is 0.
 */
export function amountsOfStep(step: MeteredStep): Amounts {
  const { result, modelInfo } = step
  const told = toldCost(result.messages)
  const used = usedInStep(step)
  const tokens = used ? used.input + used.output : 0
  if (result.status === 'done' && told > 0) return { tokens, dollars: told }
  if (!used) return { tokens: 0, dollars: 0 }
  return { tokens, dollars: Math.max(told, dollarsFor(used, modelInfo.price) ?? 0) }
}

/** Returns the highest possible amounts of a request. The cost is 0 if the model's prices are unknown. */
export function mostOfStep({
  modelInfo,
  input,
  maxOutput,
}: Pick<MeteredStep, 'modelInfo' | 'input' | 'maxOutput'>): Amounts {
  const tokens = { input, output: mostOutput(modelInfo, maxOutput) }
  return { tokens: input + tokens.output, dollars: dollarsFor(tokens, modelInfo.price) ?? 0 }
}

/** Returns the tokens that a request counts with, reported or estimated. Undefined for one that an API does not charge. */
export function usedInStep(step: MeteredStep): Tokens | undefined {
  return isCharged(step.result) ? tokensOfStep(step) : undefined
}

function tokensOfStep(step: MeteredStep): Tokens {
  const { usage, messages, status } = step.result
  const cached = { cacheRead: usage.cacheRead ?? 0, cacheWrite: usage.cacheWrite ?? 0 }
  const isWhole = status === 'done'
  const seen = tokensIn(messages)
  const known = usage.output ?? 0
  const output = isWhole && known > 0 ? known : Math.max(known, seen, isWhole ? 0 : thoughtIn(step))
  return { ...cached, input: usage.input || step.input, output }
}

function mostOutput({ maxOutputTokens }: ModelInfo, maxOutput: number | undefined): number {
  if (maxOutput === undefined) return maxOutputTokens ?? MOST_OUTPUT
  return Math.min(maxOutput, maxOutputTokens ?? maxOutput)
}

/** Estimates the hidden reasoning tokens of a response that was cut short, from its duration. */
function thoughtIn({ modelInfo, seconds, maxOutput }: MeteredStep): number {
  return Math.min(Math.ceil(seconds * THOUGHT), mostOutput(modelInfo, maxOutput))
}

/** An API does not charge for a request that it refused, or that failed before any output. */
function isCharged({ status, messages, error }: Result): boolean {
  if (status === 'done' || status === 'aborted') return true
  return messages.some(({ parts }) => parts.length > 0) || isSilence(error)
}

function isSilence(error: HostError | undefined): boolean {
  return HostError.is(error) && error.code === 'TIMEOUT'
}

/** Returns the cost that plugins report in the metadata of the messages. */
function toldCost(messages: readonly Message[]): number {
  let sum = 0
  for (const { metadata } of messages) {
    const cost = metadata?.['cost']
    const total = typeof cost === 'object' && cost && 'total' in cost ? cost.total : 0
    if (typeof total === 'number' && total > 0 && Number.isFinite(total)) sum += total
  }
  return sum
}
