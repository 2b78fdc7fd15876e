import type { OfferedTool } from '@braidwork/core/internal'
import type { ToolErrorClass } from '@braidwork/plugin'
import type { RuleBook } from './rule-book.ts'
import { type RunIdentity, scopeFault } from './run-identity.ts'

/** A call, as the permission for it is decided. */
export interface JudgedCall {
  readonly tool: OfferedTool | undefined
  /** The name that the model used. */
  readonly name: string
  /** The arguments with which it would run. */
  readonly input: unknown
}

/** Whether a call may run, who decided it, and why. */
export type Permission =
  | { readonly decision: 'allow' | 'ask'; readonly source: 'tool_policy' }
  | {
      readonly decision: 'deny'
      readonly source: 'tool_policy' | 'catalog' | 'scope' | 'rules'
      readonly reason: string
      readonly errorClass: ToolErrorClass
    }

/** What restricts a run beside its config and its agent. */
export interface Restrictions {
  readonly rules?: RuleBook | undefined
  readonly identity?: RunIdentity | undefined
  readonly now: number
}

const UNRESTRICTED: Restrictions = { now: 0 }

/**
 * Decides whether a call may run: the policy of the config, then the catalog of the agent, then the scope and the rules of
 * the run.
 */
export function permissionOf(
  { tool, name, input }: JudgedCall,
  { rules, identity, now }: Restrictions = UNRESTRICTED,
): Permission {
  const { decision } = tool?.policy ?? {}
  if (decision === 'deny') {
    const reason = `Tool not available: ${name}. The policy of this host denies it.`
    return { decision, source: 'tool_policy', reason, errorClass: 'permission_denied' }
  }
  if (tool?.withheld !== undefined) {
    const reason = `Tool not available: ${name}. The reason: ${tool.withheld}.`
    return { decision: 'deny', source: 'catalog', reason, errorClass: 'permission_denied' }
  }
  const outside = identity && scopeFault(identity, name, now)
  if (outside !== undefined) {
    return { decision: 'deny', source: 'scope', reason: outside, errorClass: 'policy_blocked' }
  }
  const broken = rules?.brokenBy(name, input)
  if (broken) {
    const { reason } = broken
    return { decision: 'deny', source: 'rules', reason, errorClass: 'policy_blocked' }
  }
  return { decision: decision === 'ask' ? 'ask' : 'allow', source: 'tool_policy' }
}
