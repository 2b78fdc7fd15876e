import type { HostError, Log } from '@braidwork/plugin'
import type { FindLeftChild } from '../children/index.ts'
import type { Environment } from '../environment.ts'
import type { RunStream } from '../run-result.ts'
import type {
  Append,
  NewRun,
  RunPlace,
  SharedContext,
  Storage,
  StoredRun,
} from '../storage/index.ts'
import type { LateRecord } from '../tool-calls/index.ts'
import type { LeaseTimes } from './leases.ts'
import type { LeftLeg, LeftRun } from './left-runs.ts'

export interface RunLogOptions {
  readonly storage: Storage
  readonly environment: Environment
  readonly log: Log
  readonly lease?: LeaseTimes
  /** The name of this process, by which others may recognize it. The default is a new id. */
  readonly holder?: string
  /** The order with which a child run is stored. The default is its prompt. */
  readonly childOrder?: (parent: StoredRun, child: ChildRecord) => StoredRun['order']
  /** Called when events are handed to the storage, with the milliseconds that the oldest of them waited for it. */
  readonly onCommit?: (waited: number) => void
  /** Called with each run that this process ended without having worked on it, once its end is stored. */
  readonly onLeft?: OnLeft
}

export type OnLeft = (run: StoredRun, leg: LeftLeg) => void

/** The description of a run to start. */
export interface RunBeginning {
  readonly run: NewRun
  /** Entries to append to the conversation before the run starts. */
  readonly append?: Append
  /**
   * Stops the run when it has had no reader for this many milliseconds, counted after its first reader left. By
   * default the run is never stopped for this.
   */
  readonly abandonAfter?: number
  /**
   * Whether another process goes on with the run if this one ends, also if it is closed. The default is no. A child run
   * goes on with its root.
   */
  readonly resumes?: boolean
  /** Starts the actual work. */
  readonly open: (run: StoredRun, leg: RunLeg) => RunStream
}

/** What the work on a run takes from the log, as options of `run`. Aborting the signal stops the work. */
export interface RunLeg {
  readonly signal: AbortSignal
  readonly committed: () => Promise<void>
  readonly late: LateRecord
  readonly childLog: ChildLog
  /**
   * Why this process stores no end of the leg: STORAGE_FAILED, HOST_CLOSED if another process goes on with the run, or
   * RUN_INTERRUPTED if another one has taken it over.
   */
  readonly fault: () => HostError | undefined
  /** Resolves when the end of the leg is stored, or could not be. */
  readonly settled: Promise<void>
  /** What the members of the run's team share. */
  readonly shared: SharedContext
}

/** A child run to record. */
export interface ChildRecord {
  readonly runId: string
  readonly place: RunPlace
  readonly prompt: string
  /** `answered`: it waited for a person, and goes on. `interrupted`: it goes on where its process ended. */
  readonly begins: 'anew' | 'answered' | 'interrupted'
  /** Aborts when its parent cancels it. */
  readonly signal: AbortSignal
}

/** The child runs of a run, as they are stored. */
export interface ChildLog {
  readonly record: RecordChild
  readonly find: FindLeftChild
}

/**
 * Begins a child run and records it. The result is there when its end is stored.
 * @throws {HostError} HOST_CLOSED, RUN_UNKNOWN, STORAGE_FAILED; what `open` throws
 */
export type RecordChild = (
  child: ChildRecord,
  open: (leg: RunLeg) => RunStream,
) => Promise<Pick<RunStream, 'result'>>

/** How a process that takes the run of another goes on with it. */
export type RunWork = Pick<RunBeginning, 'open' | 'abandonAfter' | 'resumes'>

/** A leg of a run, as the log works on it. */
export interface OwnWork extends RunWork {
  /** Called when the leg has ended and is stored. */
  readonly onEnd?: () => Promise<void>
}

/** Returns the work with which an interrupted run goes on, or undefined if it does not go on. */
export type GoOn = (left: LeftRun) => Promise<RunWork | undefined>

export interface ReadOptions {
  /** The sequence number of the last event that the reader already has, or -1 for none. */
  readonly after?: number
  readonly signal?: AbortSignal
}
