import type { Result } from '@braidwork/core'
import {
  addUsage,
  type HostError,
  isEnding,
  type Message,
  type RunEvent,
  type RunEventBody,
  type Usage,
} from '@braidwork/plugin'
import type { PendingApproval, Suspension } from './approvals.ts'

/** As a request's result, over all steps: messages of models and tools, usage added up. */
export interface RunResult extends Result {
  readonly runId: string
  readonly steps: number
  /** Where calls wait for approvals: what `resume` takes, with the answers to them. */
  readonly suspension?: Suspension
}

/** How a run ended. */
export type RunEnding = Pick<Result, 'status' | 'finishReason'> & { readonly error?: HostError }

/** What a run has come to so far, and the numbers of its events. */
export class RunRecord {
  readonly runId: string
  readonly #messages: Message[] = []
  readonly #warnings: string[] = []
  #usage: Usage = {}
  #seq: number
  #steps: number
  #approvals: readonly PendingApproval[] = []
  #isOver = false

  constructor({ runId, seq, steps }: Pick<Suspension, 'runId' | 'seq' | 'steps'>) {
    this.runId = runId
    this.#seq = seq
    this.#steps = steps
  }

  get steps(): number {
    return this.#steps
  }

  /** All messages since the run began; those that it was given come before them. */
  get messages(): readonly Message[] {
    return this.#messages
  }

  /** Whether the ending has been numbered. */
  get isOver(): boolean {
    return this.#isOver
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

  suspend(approvals: readonly PendingApproval[]): void {
    this.#approvals = approvals
  }

  number(event: RunEventBody): RunEvent {
    this.#isOver = isEnding(event)
    // Of objects that differ in kind, as events do, a spread costs twenty times as much.
    return Object.assign({}, event, { runId: this.runId, seq: this.#seq++ })
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
      ...(this.#approvals.length > 0 ? { suspension: this.#suspension() } : {}),
    }
  }

  #suspension(): Suspension {
    const { runId } = this
    return { runId, seq: this.#seq, steps: this.#steps, approvals: this.#approvals }
  }
}
