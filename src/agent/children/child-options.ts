import type { Resumption } from '../approvals.ts'
import type { Environment } from '../environment.ts'
import type { Interruption } from '../interruption.ts'
import type { RuleBook, RunIdentity } from '../policy/index.ts'
import type { ChildLimits, Delegate, Parent } from './child.ts'
import type { ChildTool } from './child-tool.ts'

/** The options of a run that concern its children. */
export interface ChildOptions {
  readonly delegates?: readonly Delegate[] | undefined
  /** Begins the subagents of the run. Absent if it may have none. */
  readonly subagent?: Delegate | undefined
  readonly childTools?: readonly ChildTool[] | undefined
  readonly childLimits?: ChildLimits | undefined
  readonly parent?: Parent | undefined
  readonly agent?: { readonly id: string } | undefined
  readonly rules?: RuleBook | undefined
  readonly identity?: RunIdentity | undefined
  readonly canAsk?: boolean | undefined
  readonly resume?: Resumption | Interruption | undefined
  readonly environment?: Environment | undefined
}
