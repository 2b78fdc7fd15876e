import type { Storage } from '@braidwork/agent'
import {
  historyOfNodes,
  type LeftRun,
  loadShownNodes,
  type RunWork,
} from '@braidwork/agent/internal'
import { type Host, mergeLayers } from '@braidwork/core'
import type { Log } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import type { Catalog } from '../catalog.ts'
import { orderOf } from '../run-order.ts'
import type { RunService } from '../runs/index.ts'
import { inOurWords } from '../tell.ts'

export interface InterruptedParts {
  readonly host: Host
  readonly storage: Storage
  readonly catalog: Catalog
  readonly runs: RunService
  readonly log: Log
  /** Stop a run of a conversation after this many milliseconds without a reader. */
  readonly cancelAfter: number
}

/** Goes on with runs whose process ended, if the config of their model has `on_interrupt: resume`. LT-10 */
export class Interrupted {
  readonly #parts: InterruptedParts

  constructor(parts: InterruptedParts) {
    this.#parts = parts
  }

  /** Returns the work that goes on with a run, or undefined if the run is to end as interrupted. */
  async goOn(left: LeftRun): Promise<RunWork | undefined> {
    try {
      return (await this.#isResumed(left)) ? await this.#workFor(left) : undefined
    } catch (error) {
      const { message, ...facts } = inOurWords(toHostError(error))
      const text = `An interrupted run cannot be resumed: ${message}`
      this.#parts.log({ level: 'error', message: text, ...facts, runId: left.run.id })
      return undefined
    }
  }

  async #isResumed({ run }: LeftRun): Promise<boolean> {
    const { host, catalog } = this.#parts
    const { config } = await catalog.find(ownerOf(run), orderOf(run).agent)
    return mergeLayers(host.config, config).on_interrupt === 'resume'
  }

  async #workFor({ run, interruption }: LeftRun): Promise<RunWork | undefined> {
    const { storage, runs, cancelAfter } = this.#parts
    const { owner, conversationId } = run
    // The messages of a run without a conversation are not stored.
    if (conversationId === undefined) return undefined
    const path = await loadShownNodes({ storage, owner, conversationId })
    return runs.goOn(ownerOf(run), run, {
      messages: historyOfNodes(path),
      resume: interruption,
      abandonAfter: cancelAfter,
    })
  }
}

function ownerOf({ owner: id }: LeftRun['run']) {
  return { id, role: 'user' } as const
}
