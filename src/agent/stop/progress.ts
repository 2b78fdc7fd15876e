import type { Result } from '@braidwork/core'
import type { Message, ModelInfo, RunProgress, ToolResultPart } from '@braidwork/plugin'
import { digestOf } from '../digest.ts'
import { dollarsFor } from '../price.ts'

/** The progress of a run that has done nothing yet. */
export const NO_PROGRESS: RunProgress = {
  seconds: 0,
  tokens: 0,
  dollars: 0,
  failedCalls: 0,
  equalAnswers: 0,
  lastAnswer: '',
}

/** What a run has used and reached so far, in this leg and in those before. */
export class ProgressCounter {
  readonly #elapsed: () => number
  readonly #since: number
  readonly #comparesAnswers: boolean
  #before: RunProgress

  /**
   * @param elapsed a monotonic clock in milliseconds
   * @param before the progress of the legs before
   * @param comparesAnswers whether a condition needs equal answers counted
   */
  constructor(elapsed: () => number, before: RunProgress = NO_PROGRESS, comparesAnswers = true) {
    this.#elapsed = elapsed
    this.#comparesAnswers = comparesAnswers
    this.#since = elapsed()
    this.#before = before
  }

  get now(): RunProgress {
    const { seconds } = this.#before
    return { ...this.#before, seconds: seconds + (this.#elapsed() - this.#since) / 1000 }
  }

  /** Counts a request to the model, complete or cut off. */
  addUsage({ usage }: Pick<Result, 'usage'>, { price }: ModelInfo): void {
    const { input = 0, output = 0 } = usage
    const { tokens, dollars } = this.#before
    const cost = dollarsFor({ ...usage, input, output }, price) ?? 0
    this.#before = { ...this.#before, tokens: tokens + input + output, dollars: dollars + cost }
  }

  /** Compares a complete answer with the one before. */
  addAnswer(messages: readonly Message[]): void {
    if (!this.#comparesAnswers) return
    const answer = contentOf(messages)
    const { lastAnswer, equalAnswers } = this.#before
    const isEqual = answer !== '' && answer === lastAnswer
    const times = answer === '' ? 0 : 1
    this.#before = {
      ...this.#before,
      lastAnswer: answer,
      equalAnswers: isEqual ? equalAnswers + 1 : times,
    }
  }

  /** Counts the results of a step's calls, in their order. */
  addResults(results: readonly ToolResultPart[]): void {
    let { failedCalls } = this.#before
    for (const { isError } of results) failedCalls = isError ? failedCalls + 1 : 0
    this.#before = { ...this.#before, failedCalls }
  }
}

/** What an answer says and asks for, without the ids of its calls. Empty if it does neither. */
function contentOf(messages: readonly Message[]): string {
  const parts = messages.flatMap(({ parts }) => parts)
  const said = parts.flatMap((part): readonly unknown[] => {
    if (part.type === 'text') return part.text.trim() === '' ? [] : [part.text]
    return part.type === 'tool-call' ? [{ name: part.name, input: part.input }] : []
  })
  return said.length === 0 ? '' : digestOf(said)
}
