import type { Usage } from './usage.ts'

/** A compaction of the conversation of a run begins, within the run or after it: a model is asked for the summary. LR-07 */
interface CompactionStartEvent {
  readonly type: 'compaction-start'
  readonly compactionId: string
  /** Somebody asked for it, the context policy of the agent did, or the model API did it by itself. */
  readonly trigger: 'manual' | 'threshold' | 'provider'
}

/** A compaction between the steps of a run. */
export interface WithinRun {
  /** The messages of the leg before this step are replaced, and those that the run was given. */
  readonly step: number
  readonly summary: string
  /** The file with the replaced messages. */
  readonly archive: string
  /** What no summary may lose. LR-08 */
  readonly kept?: readonly KeptFact[]
  /** How many of `kept`, the last ones, the model is shown. Absent if all. */
  readonly keptShown?: number
}

/**
 * Something in compacted messages that stays known: an error without a later success, a reference to a result, a file
 * or a source (LR-08), or a message of the user, word for word as far as it is not long.
 */
export interface KeptFact {
  readonly type: 'incident' | 'evidence' | 'said'
  /** Identifies what the fact is about, such as the id of a call. A later fact of the same type and id replaces it. */
  readonly id: string
  readonly text: string
}

/** What a compaction came to. It has neither if it was given up, and the conversation is as it was. LR-07 */
interface CompactionEndEvent {
  readonly type: 'compaction-end'
  readonly compactionId: string
  readonly done?: {
    /** The beginning of the summary. */
    readonly preview: string
    /** How many messages the summary replaces, those of earlier summaries included. A model API does not tell. */
    readonly replaced?: number
    /** The runs that these messages belong to, newest last. */
    readonly runIds: readonly string[]
    /**
     * The entry with the summary, and that with the first message after it. Absent within a run, whose entries are
     * stored when it ends or waits.
     */
    readonly entryId?: string
    readonly keptFrom?: string
    /** The estimated tokens of what the model is shown. A model API does not tell. */
    readonly tokens?: { readonly before: number; readonly after: number }
    /** Present within a run: all that its requests need from here on. */
    readonly within?: WithinRun
  }
  /** What the request for the summary used, within a run. */
  readonly usage?: Usage
  readonly error?: { readonly code: string; readonly message: string }
}

export type CompactionEvent = CompactionStartEvent | CompactionEndEvent
