import type { Result } from '@braidwork/core'
import type { Sink } from '@braidwork/core/internal'
import {
  addUsage,
  isEnding,
  type Message,
  type RunEvent,
  type RunEventBody,
  type StreamEvent,
  type Usage,
} from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { PendingApproval, Suspension } from './approvals.ts'
import type { LegCompaction } from './compaction/index.ts'
import { type Environment, systemEnvironment } from './environment.ts'
import { unshared } from './event-copies.ts'
import { hostMessage } from './host-message.ts'
import type { Interruption, StepPlace } from './interruption.ts'
import { terminationOf } from './run-endings.ts'
import { type RunEnding, type RunResult, statusOf } from './run-result.ts'

/** Sees the events of a run. `warn` adds a warning to it. */
export type RunObserver = (event: RunEvent, warn: (message: string) => void) => void

/** Where a run or a further leg of it begins. `at` is the time of the event before. */
export type RunPosition = Pick<Suspension, 'runId' | 'seq' | 'steps'> & { readonly at?: number }

interface Recorded {
  readonly environment?: Environment | undefined
  readonly resume?: RunPosition | undefined
  readonly runId?: string | undefined
}

/** What a leg leaves for the next one. */
type LeftForNext = Pick<Suspension, 'kept' | 'compacted'>

type Numbered = RunEventBody & { runId?: string; seq?: number; at?: number }

/** The accumulated result of a run, and the sequence numbers and times of its events. */
export class RunRecord {
  readonly runId: string
  readonly #environment: Pick<Environment, 'now' | 'newId'>
  readonly #messages: Message[] = []
  readonly #warnings: string[] = []
  #usage: Usage = {}
  #seq: number
  #at: number
  #steps: number
  #approvals: readonly PendingApproval[] = []
  readonly #starts: StepPlace[] = []
  #compactions: readonly LegCompaction[] = []
  #isOver = false

  constructor(
    { runId, seq, steps, at = 0 }: RunPosition,
    environment: Pick<Environment, 'now' | 'newId'>,
  ) {
    this.#environment = environment
    this.runId = runId
    this.#seq = seq
    this.#steps = steps
    this.#at = at
  }

  /** The record of a run or a further leg of it. */
  static of({ environment = systemEnvironment, resume, runId }: Recorded): RunRecord {
    const position = resume ?? { runId: runId ?? environment.newId('run'), seq: 0, steps: 0 }
    return new RunRecord(position, environment)
  }

  get usage(): Usage {
    return this.#usage
  }

  get steps(): number {
    return this.#steps
  }

  /** The messages since the run started. The messages that the run was given come before them. */
  get messages(): readonly Message[] {
    return this.#messages
  }

  get warnings(): readonly string[] {
    return [...this.#warnings]
  }

  /** Where the steps of this leg begin. */
  get starts(): readonly StepPlace[] {
    return this.#starts
  }

  /** The compactions of this leg. The last one counts. */
  get compactions(): readonly LegCompaction[] {
    return this.#compactions
  }

  /** Whether the ending has its sequence number. */
  get isOver(): boolean {
    return this.#isOver
  }

  newRequestId(): string {
    return this.#environment.newId('request')
  }

  /** Whether calls wait for approvals, so that a further leg follows. */
  get isWaiting(): boolean {
    return this.#approvals.length > 0
  }

  /** What binds each pending approval to its call. */
  get bindings(): { readonly [approvalId: string]: string } {
    return Object.fromEntries(
      this.#approvals.map(({ approvalId, binding }) => [approvalId, binding]),
    )
  }

  beginStep(): number {
    this.#starts.push({ step: ++this.#steps, at: this.#messages.length })
    return this.#steps
  }

  addCompaction(compaction: LegCompaction): void {
    this.#compactions = [...this.#compactions, compaction]
  }

  /** Takes over what an interrupted leg had before. */
  restore(before: Pick<Interruption, 'messages' | 'usage' | 'starts' | 'compactions'>): void {
    this.#messages.push(...before.messages)
    this.#usage = before.usage
    this.#starts.push(...(before.starts ?? []))
    this.#compactions = before.compactions ?? []
  }

  addAnswer({ messages, usage, warnings }: Result): void {
    this.#messages.push(...messages)
    this.#usage = addUsage(this.#usage, usage)
    for (const warning of warnings) this.warn(warning)
  }

  /** Counts what a child run used. AL-22 */
  addUsage(usage: Usage): void {
    this.#usage = addUsage(this.#usage, usage)
  }

  /** Counts a request whose output is discarded. */
  addDiscarded({ usage, warnings }: Result): void {
    this.#usage = addUsage(this.#usage, usage)
    for (const warning of warnings) this.warn(warning)
  }

  addMessage(message: Message): void {
    this.#messages.push(message)
  }

  /** Asks the model again in the place of the user. */
  askAgain(text: string): void {
    this.addMessage(hostMessage(text))
  }

  /** Records a warning once, since every step may repeat it. */
  warn(warning: string): void {
    if (!this.#warnings.includes(warning)) this.#warnings.push(warning)
  }

  suspend(approvals: readonly PendingApproval[]): void {
    this.#approvals = approvals
  }

  readonly number = (event: RunEventBody): RunEvent => {
    this.#isOver = isEnding(event)
    // LR-14: an event never seems to precede the one before it, even if the clock is set back in between.
    this.#at = Math.max(this.#at, this.#environment.now())
    // Events differ in shape. Copies of such objects are twice as fast in this way as by a spread.
    const numbered: Numbered = Object.assign({}, unshared(event))
    numbered.runId = this.runId
    numbered.seq = this.#seq++
    numbered.at = this.#at
    return numbered as RunEvent
  }

  /** Numbers events, and shows each to an observer. It is frozen, since others see it too. */
  observedBy(onEvent: RunObserver | undefined): (event: RunEventBody) => RunEvent {
    if (!onEvent) return this.number
    const warn = (message: string) => this.warn(message)
    return (body) => {
      const event = Object.freeze(this.number(body))
      try {
        onEvent(event, warn)
      } catch (error) {
        warn(`"onEvent" of the run failed: ${messageOf(error)}`)
      }
      return event
    }
  }

  /** @param left what a further leg needs, if the run waits */
  result(ending: RunEnding, left: LeftForNext = {}): RunResult {
    const { compacted } = left
    return {
      ...statusOf(ending),
      messages: [...this.#messages],
      usage: this.#usage,
      finishReason: ending.finishReason,
      warnings: this.warnings,
      runId: this.runId,
      steps: this.#steps,
      termination: terminationOf(ending),
      ...(this.#compactions.length > 0 ? { compactions: this.#compactions } : {}),
      ...(compacted ? { compacted } : {}),
      ...(this.#approvals.length > 0 ? { suspension: this.#suspension(left) } : {}),
    }
  }

  #suspension({ kept, compacted }: LeftForNext): Suspension {
    const { runId } = this
    const position = { runId, seq: this.#seq, steps: this.#steps, approvals: this.#approvals }
    return { ...position, ...(kept ? { kept } : {}), ...(compacted ? { compacted } : {}) }
  }
}

/** The event with which a leg begins. A child run tells its place. AL-04 */
export function startOf(
  { parent }: { readonly parent?: { readonly place: object } | undefined },
  requestId: string,
): RunEventBody {
  return { type: 'start', requestId, ...(parent ? { place: parent.place } : {}) }
}

/** Passes the events of one request on, except its start and its ending: the run has its own. */
export function withinRun(sink: Sink<readonly RunEventBody[]>): Sink<readonly StreamEvent[]> {
  return (shown) => {
    const events = shown.filter((event) => event.type !== 'start' && !isEnding(event))
    return events.length > 0 ? sink(events) : undefined
  }
}

/** Tells that a run goes on where it was interrupted. A cut answer is discarded. */
export function resumptionEvents({
  resumptions,
  steps,
  interrupted,
}: Interruption): readonly RunEventBody[] {
  const reason = 'The process that worked on the run ended before the run did.'
  const resumed: RunEventBody = { type: 'run-resumed', resumptions: resumptions + 1, reason }
  return interrupted.at === 'answer'
    ? [resumed, { type: 'step-reset', step: steps, reason }]
    : [resumed]
}
