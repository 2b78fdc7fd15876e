import { type Config, type Diagnostic, pointerOf, type ToolPolicyDecision } from '@braidwork/plugin'
import { didYouMean, listed } from '../suggest.ts'

/** The names of a tool by which a config may set its policy. */
export interface NamedTool {
  /** The name that the model uses. */
  readonly name: string
  /** The tool's own name. */
  readonly ownName: string
  /** The name of the tool's plugin. Absent for a tool of the caller. */
  readonly plugin?: string | undefined
}

const REASONS = {
  allow: 'The config allows it.',
  ask: 'The config asks for the approval of a person.',
  deny: 'The config denies it.',
} as const

const BY_DEFAULT: ToolPolicyDecision = {
  decision: 'allow',
  source: 'default',
  reason: 'The config has no policy for it.',
}

/**
 * Decides by the config whether a tool may run. The key `<plugin>.<tool>` takes precedence over the name that the model
 * uses. LT-07
 */
export function policyOf({ tool_policy: policies }: Config, tool: NamedTool): ToolPolicyDecision {
  if (policies === undefined) return BY_DEFAULT
  const key = policyKeys(tool).find((candidate) => Object.hasOwn(policies, candidate))
  const decision = key === undefined ? undefined : policies[key]
  if (key === undefined || decision === undefined) return BY_DEFAULT
  return { decision, source: pointerOf(['tool_policy', key]), reason: REASONS[decision] }
}

function policyKeys({ name, ownName, plugin }: NamedTool): readonly string[] {
  return plugin === undefined ? [name] : [`${plugin}.${ownName}`, name]
}

/**
 * Warns of policies for tools that the config does not have: a policy with a misspelled name restricts nothing, and
 * the tool runs.
 */
export function unusedPolicies(
  { tool_policy: policies = {} }: Config,
  tools: readonly NamedTool[],
): readonly Diagnostic[] {
  const keys = new Set(tools.flatMap(policyKeys))
  const known = listed(tools.map(({ name }) => name)) || 'none'
  return Object.keys(policies)
    .filter((name) => !keys.has(name))
    .map((name) => ({
      code: 'POLICY_UNUSED',
      level: 'warning',
      pointer: pointerOf(['tool_policy', name]),
      message: `The config has a policy for the tool "${name}", but no plugin offers that tool. Tools on offer: ${known}.${didYouMean(name, keys)}`,
    }))
}
