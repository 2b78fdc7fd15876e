import type { RunEvent } from '@braidwork/plugin'
import type { StoredRun } from '../storage/index.ts'
import type { Fact, FactDraft, FactSource, Told } from './fact.ts'
import { timeOf } from './record.ts'
import { FACT_SOURCES } from './sources.ts'

/** The most facts that one event may become: numbers between those of two events. */
const FACTS_AN_EVENT = 1024
/** The numbers that each run of a session has, so that later events of an earlier run change none of the others. */
const NUMBERS_A_RUN = 2 ** 36

/** Turns the events of a run into facts, one after another, from the first on. */
export class RunFacts {
  readonly #run: StoredRun
  readonly #place: number
  readonly #open = new Set<string>()
  #step = 0

  /** @param place how many runs of the session began before */
  constructor(run: StoredRun, place: number) {
    this.#run = run
    this.#place = place
  }

  add(event: RunEvent): readonly Fact[] {
    if (event.type === 'step-start') this.#step = event.step
    if (event.type === 'approval-required') this.#open.add(event.approvalId)
    if (event.type === 'approval-resolved') this.#open.delete(event.approvalId)
    const source = FACT_SOURCES[event.type] as FactSource<RunEvent['type']>
    return source.facts(event, this.#told()).map((draft, index) => this.#fact(draft, event, index))
  }

  #told(): Told {
    const { id: runId } = this.#run
    return { runId, step: this.#step, open: this.#open, isFirstRun: this.#place === 0 }
  }

  /** LR-14 */
  #fact({ type, payload, ...ids }: FactDraft, event: RunEvent, index: number): Fact {
    const { seq } = event
    const { id: runId, conversationId = runId } = this.#run
    const number = seq * FACTS_AN_EVENT + index
    return {
      type,
      eventId: `${runId}/${seq}.${index}`,
      timestamp: timeOf(event, this.#run),
      schemaVersion: 'lime-profile-0.4.0',
      runtimeId: 'braidwork',
      sessionId: conversationId,
      threadId: conversationId,
      turnId: runId,
      runId,
      sequence: this.#place * NUMBERS_A_RUN + number,
      ...ids,
      payload,
    }
  }
}
