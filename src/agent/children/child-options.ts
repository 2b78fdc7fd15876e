import type { Resumption } from '../approvals.ts'
import type { Environment } from '../environment.ts'
import type { Interruption } from '../interruption.ts'
import type { RuleBook, RunIdentity } from '../policy/index.ts'
import type { ChildLimits, Delegate, Parent } from './child.ts'
import type { ChildTool } from './child-tool.ts'

/** The options of a run that concern its children. */
export interface ChildOptions {
  readonly delegates?: readonly Delegate[]
  /** Begins the subagents of the run. Absent if it may have none. */
  readonly subagent?: Delegate
  readonly childTools?: readonly ChildTool[]
  readonly childLimits?: ChildLimits
  readonly parent?: Parent
  readonly agent?: { readonly id: string }
  readonly rules?: RuleBook
  readonly identity?: RunIdentity
  readonly canAsk?: boolean
  readonly resume?: Resumption | Interruption
  readonly environment?: Environment
}
