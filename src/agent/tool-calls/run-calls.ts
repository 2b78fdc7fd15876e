import type { OpenedConfig, Sink } from '@braidwork/core/internal'
import type {
  ToolCall as PluginCall,
  RunEventBody,
  Termination,
  ToolResultPart,
  Usage,
} from '@braidwork/plugin'
import type { PendingApproval } from '../approvals.ts'
import type { ChildRuns } from '../children/index.ts'
import type { Environment } from '../environment.ts'
import type { LeftCalls } from '../interruption.ts'
import type { Phases } from '../phases/index.ts'
import type { RuleBook, RunIdentity } from '../policy/index.ts'
import type { RunRecord } from '../run-record.ts'
import type { LateRecord } from './late-answers.ts'

/** The dependencies of a `CallRunner`. */
export interface CallRunnerParts {
  readonly record: RunRecord
  readonly environment: Environment
  readonly signal: AbortSignal
  readonly sink: Sink<readonly RunEventBody[]>
  /** Resolves when all events so far are stored. Absent for a run that is not stored. LT-10 */
  readonly committed?: (() => Promise<void>) | undefined
  readonly late?: LateRecord | undefined
  readonly canAsk?: boolean | undefined
  readonly rules?: RuleBook | undefined
  readonly identity?: RunIdentity | undefined
  /** Runs the calls that ask agents. */
  readonly children: ChildRuns
  /** Asks the model for the tools of calls. */
  readonly models: ModelsForTools
}

/** The requests of tools to the model. */
interface ModelsForTools {
  /** What those of a call have used in this leg. */
  spentBy(callId: string): Usage | undefined
  askerFor(call: {
    readonly callId: string
    readonly signal: AbortSignal
    readonly tell: (progress: object) => void
  }): NonNullable<PluginCall['askModel']>
}

/** What a call has used in this leg: its child run, or the requests of its tool. AL-22 */
export function usageOf(
  { callId }: { readonly callId: string },
  { children, models }: Pick<CallRunnerParts, 'children' | 'models'>,
): { readonly usage?: Usage } {
  const usage = children.spentBy(callId) ?? models.spentBy(callId)
  return usage ? { usage } : {}
}

/** Where the calls of a step run. */
export interface CallScope {
  readonly opened: OpenedConfig
  readonly requestId?: string
  /** How far the calls had come, if the run was interrupted. */
  readonly left?: LeftCalls
  /** Called once the gates have been asked, before the calls run. Says why they do not run, if the run ends. */
  readonly toRun?: () => Promise<Termination | undefined> | undefined
  /** The leg of the run, whose state gates see. */
  readonly leg?: { readonly phases: Phases }
}

/** The calls of a step after they ran. */
export interface RunCalls {
  /** The approvals for which calls wait. */
  readonly pending: readonly PendingApproval[]
  /** The results of the others, in the order of the calls. */
  readonly results: readonly ToolResultPart[]
  /** Why the calls did not run, if the run ends. */
  readonly stopped?: Termination
}
