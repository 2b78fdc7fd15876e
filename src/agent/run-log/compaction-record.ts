import type { CompactionEvent, RunEvent } from '@braidwork/plugin'
import { type Compacted, previewOf } from '../compaction/index.ts'
import type { Environment } from '../environment.ts'
import {
  type CompactionTrigger,
  isSameLate,
  type RunStorage,
  type StoredRun,
} from '../storage/index.ts'
import { withRetries } from './commit-queue.ts'

/** The most runs of replaced messages that are told. */
const MOST_RUNS = 100

export interface CompactionRecordParts {
  readonly runs: Pick<RunStorage, 'list' | 'addLate' | 'events'>
  readonly environment: Environment
  readonly owner: string
  readonly conversationId: string
  readonly trigger: CompactionTrigger
  /** Sees each event once it is stored. */
  readonly onStored?: (run: StoredRun, event: RunEvent) => void
}

/**
 * Tells of a compaction in the log of the newest run of its conversation that has ended: that it began, and how it
 * ended. A conversation without such a run has no log to tell it in. LR-07
 */
export class CompactionRecord {
  readonly #parts: CompactionRecordParts
  readonly #id: string
  #run: StoredRun | undefined
  #at = 0

  constructor(parts: CompactionRecordParts) {
    this.#parts = parts
    this.#id = parts.environment.newId('compaction')
  }

  /** @throws {HostError} STORAGE_FAILED */
  async started(): Promise<void> {
    const { runs, owner, conversationId, trigger } = this.#parts
    const all = await runs.list(owner, conversationId)
    this.#run = all.find(({ status }) => status !== 'active')
    await this.#add({ type: 'compaction-start', compactionId: this.#id, trigger })
  }

  /** @throws {HostError} STORAGE_FAILED */
  async completed({ entryId, marker, tokens, runIds }: Compacted): Promise<void> {
    const { summary, replaced = 0, keptFrom } = marker
    await this.#add({
      type: 'compaction-end',
      compactionId: this.#id,
      done: {
        preview: previewOf(summary),
        replaced,
        runIds: runIds.slice(-MOST_RUNS),
        entryId,
        ...(keptFrom === undefined ? {} : { keptFrom }),
        tokens,
      },
    })
  }

  /** Tells a failure, if the compaction was told to have begun. @throws {HostError} STORAGE_FAILED */
  async failed({
    code,
    message,
  }: {
    readonly code: string
    readonly message: string
  }): Promise<void> {
    await this.#add({ type: 'compaction-end', compactionId: this.#id, error: { code, message } })
  }

  async #add(event: CompactionEvent): Promise<void> {
    const { runs, environment, owner, onStored } = this.#parts
    const run = this.#run
    if (!run) return
    // LR-14: the end never seems to precede the start, even if the clock is set back in between.
    this.#at = Math.max(this.#at, environment.now())
    const isStored = await withRetries(environment, () =>
      runs.addLate(owner, run.id, event, this.#at),
    )
    if (!isStored || !onStored) return
    const stored = await runs.events(owner, run.id, { after: run.nextSeq - 1 })
    const own = stored.find((one) => isSameLate(one, event))
    if (own) onStored(run, own)
  }
}
