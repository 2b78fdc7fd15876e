import {
  conversationKey,
  type Environment,
  type Interruption,
  type Resumption,
  type RunOptions,
  type Storage,
  type StoredRun,
} from '@braidwork/agent'
import type { AgentPlan, Append, LeaseTimes, RunLeg } from '@braidwork/agent/internal'
import { type Host, mergeLayers } from '@braidwork/core'
import type { Log, Message, Usage } from '@braidwork/plugin'
import type { SharedLimits, StoredTokens } from '../access/index.ts'
import type { Catalog } from '../catalog.ts'
import type { RepeatKey } from '../headers.ts'
import type { Identity } from '../identity.ts'
import type { Limits } from '../limits.ts'
import type { Metrics } from '../metrics.ts'
import type { Notices } from '../notifications/index.ts'
import type { PerRequest } from '../per-request.ts'
import type { Quotas } from '../quotas.ts'
import type { RunOrder } from '../run-order.ts'
import type { Estimate, MeteredLeg } from '../spending/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import type { Uses } from '../uses.ts'

/** The services that a run needs. */
export interface RunWorkParts {
  readonly perRequest?: PerRequest
  readonly host: Host
  readonly storage: Storage
  readonly environment: Environment
  readonly log: Log
  readonly limits: Limits
  /** The limits that all servers of the storage count together. */
  readonly shared: SharedLimits
  readonly tokens: StoredTokens
  readonly uses: Uses
  readonly quotas: Quotas
  /** The total size of uploaded files that the messages of one run may refer to, in bytes. */
  readonly attachments: number
  readonly catalog: Catalog
  /**
   * The protocols that cannot ask for approvals, but on which tools with the policy `ask` may still run. On other
   * protocols without approvals, those tools are denied.
   */
  readonly askAllowedOn: readonly string[]
  readonly metrics: Metrics
  /** Called when a leg of a run is done, before its end is stored. */
  readonly onRunDone?: (done: DoneRun) => void
  /** Told that a leg of a run is over, however it ended. Its last events may not be stored yet. */
  readonly onLegEnd?: (run: StoredRun) => void
  readonly telemetry?: Telemetry | undefined
  /** Absent if the server sends no push notifications. */
  readonly notices?: Notices
  /** Whether to log the contents of requests and responses. */
  readonly logsContent?: boolean
}

export interface RunServiceParts extends RunWorkParts {
  readonly lease?: LeaseTimes
  /** Whether clients may read what a model API said when it refused a request. */
  readonly showsUpstreamErrors?: boolean
}

/** The description of a run to start. */
export interface NewWork extends RepeatKey {
  readonly identity: Identity
  readonly order: RunOrder
  /** All messages for the model. */
  readonly messages: readonly Message[]
  readonly conversationId?: string
  readonly append?: Append
  /** Stop the run after this many milliseconds without a reader. By default it is never stopped for this. */
  readonly abandonAfter?: number
  /** How long the client can still be told a failure by the status of its response, in seconds. By default always. */
  readonly startWait?: number
  /** The headers of the request. */
  readonly headers: Headers
  /** Whether the events are stored. The events of an unstored run are deleted after the response. */
  readonly isStored: boolean
}

/** Work whose messages contain the bytes of their files, with the plan of its agent and its cost estimate. */
export interface PreparedWork extends Omit<NewWork, 'headers'> {
  /** The agent's plan, with the config of this run. */
  readonly plan: AgentPlan
  /** Whether the model is offered no tools of the host. */
  readonly isToolless: boolean
  readonly estimate: Estimate
}

/** A leg of a run that is done, with the usage of its last request. */
export interface DoneRun {
  readonly run: StoredRun
  readonly identity: Identity
  readonly order: RunOrder
  readonly usage: Usage
}

/** The input of {@link RunWork.open}. */
export interface Opening {
  readonly work: PreparedWork
  readonly leg: RunLeg
  /** Counts what the run uses, and is ended with it. */
  readonly metered: MeteredLeg
  readonly resume?: Resumption | Interruption
}

/** The id of a conversation as a run has it: conversations of different owners may have the same id. */
export function keyOf({
  owner,
  conversationId,
}: Pick<StoredRun, 'owner'> & { readonly conversationId?: string | undefined }): Pick<
  RunOptions,
  'conversationId'
> {
  if (conversationId === undefined) return {}
  return { conversationId: conversationKey(owner, conversationId) }
}

/** What the rest of a leg begins with. */
export interface GoingOn {
  readonly messages: readonly Message[]
  readonly resume: Interruption
  readonly abandonAfter: number
}

/** What a further leg of a run begins with. */
export interface Resuming {
  readonly work: PreparedWork
  readonly abandonAfter: number
  /** Stores the answers that the run waits for, once all else is ready. Returns undefined if one is still to come. */
  readonly answers: () => Promise<Resumption | undefined>
}

/**
 * What becomes of a run without a reader, and without its process. Only runs of conversations go on, because the messages
 * of others are not stored.
 */
export function whenLeft(
  host: Host,
  { order, plan, isStored, conversationId, abandonAfter }: PreparedWork,
): { readonly abandonAfter?: number; readonly resumes: boolean } {
  const { on_interrupt: then } = mergeLayers(host.config, plan.config)
  const resumes = isStored && conversationId !== undefined && then === 'resume'
  return abandonAfter === undefined || order.isBackground ? { resumes } : { resumes, abandonAfter }
}
