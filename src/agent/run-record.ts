import { randomUUID } from 'node:crypto'
import type { HostError } from '../errors.ts'
import {
  addUsage,
  type Message,
  type RunEvent,
  type RunEventBody,
  type Usage,
} from '../events/index.ts'
import type { Result } from '../host/index.ts'

/** As a request's result, over all steps: messages of models and tools, usage added up. */
export interface RunResult extends Result {
  readonly runId: string
  readonly steps: number
}

/** How a run ended. */
export type RunEnding = Pick<Result, 'status' | 'finishReason'> & { readonly error?: HostError }

/** What a run has come to so far, and the numbers of its events. */
export class RunRecord {
  readonly runId = randomUUID()
  readonly #messages: Message[] = []
  readonly #warnings: string[] = []
  #usage: Usage = {}
  #seq = 0
  #steps = 0

  get steps(): number {
    return this.#steps
  }

  /** All messages since the run began; those that it was given come before them. */
  get messages(): readonly Message[] {
    return this.#messages
  }

  beginStep(): number {
    return ++this.#steps
  }

  addAnswer({ messages, usage, warnings }: Result): void {
    this.#messages.push(...messages)
    this.#usage = addUsage(this.#usage, usage)
    for (const warning of warnings) this.warn(warning)
  }

  addMessage(message: Message): void {
    this.#messages.push(message)
  }

  /** Each warning once: every step may say the same. */
  warn(warning: string): void {
    if (!this.#warnings.includes(warning)) this.#warnings.push(warning)
  }

  number(event: RunEventBody): RunEvent {
    return { ...event, runId: this.runId, seq: this.#seq++ }
  }

  result({ status, finishReason, error }: RunEnding): RunResult {
    return {
      status,
      messages: [...this.#messages],
      usage: this.#usage,
      finishReason,
      warnings: [...this.#warnings],
      ...(error ? { error } : {}),
      runId: this.runId,
      steps: this.#steps,
    }
  }
}
