import { type Config, type Diagnostic, pointerOf, type ToolPolicyDecision } from '@braidwork/plugin'
import { didYouMeanThis, listed, nearest } from '../suggest.ts'

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
 * Warns of policies and names for tools that the config does not have: a policy with a misspelled name restricts
 * nothing, and the tool runs.
 */
export function unusedPolicies(config: Config, tools: readonly NamedTool[]): readonly Diagnostic[] {
  const shown = listed([...new Set(tools.map(({ name }) => name))]) || 'none'
  return unusedKeys(config, tools).map(({ section, key, meant }) => ({
    code: 'POLICY_UNUSED',
    level: 'warning',
    pointer: pointerOf([section, key]),
    message: `The config has ${SECTIONS[section]} for the tool "${key}", but no plugin offers that tool. Tools on offer: ${shown}.${hint(key, meant)}`,
  }))
}

/**
 * Warns of policies and names for tools that are nearly those on offer: a misspelled one does nothing, and a tool that it
 * denies runs, and so does one that a pattern denies. Others may be for tools that another config offers, so nothing is
 * said of them.
 */
export function misspelledTools(config: Config, tools: readonly NamedTool[]): readonly string[] {
  return unusedKeys(config, tools)
    .filter(({ key, meant }) => meant !== undefined || isPattern(key))
    .map(
      ({ section, key, meant }) =>
        `"${key}" in "${section}" is no tool on offer, and does nothing.${hint(key, meant)}`,
    )
}

/** Whether a key is meant as a pattern, which no config has. */
function isPattern(key: string): boolean {
  return key.includes('*')
}

function hint(key: string, meant: string | undefined): string {
  return isPattern(key)
    ? ' "*" is an ordinary character there: name each tool.'
    : didYouMeanThis(meant)
}

const SECTIONS = { tool_policy: 'a policy', tool_names: 'a name' } as const

interface UnusedKey {
  readonly section: keyof typeof SECTIONS
  readonly key: string
  /** The key of a tool on offer that it may be meant for. */
  readonly meant: string | undefined
}

function unusedKeys(
  { tool_policy: policies = {}, tool_names: names = {} }: Config,
  tools: readonly NamedTool[],
): readonly UnusedKey[] {
  const qualified = tools.map((tool) => policyKeys(tool)[0] ?? tool.ownName)
  const unused = (section: UnusedKey['section'], keys: string[], known: readonly string[]) => {
    const all = new Set(known)
    return keys
      .filter((key) => !all.has(key))
      .map((key) => ({ section, key, meant: withPlugin(key, qualified) ?? nearest(key, all) }))
  }
  return [
    ...unused('tool_policy', Object.keys(policies), tools.flatMap(policyKeys)),
    ...unused('tool_names', Object.keys(names), qualified),
  ]
}

/** The key, with its plugin, of a tool whose own name is given. */
function withPlugin(ownName: string, qualified: readonly string[]): string | undefined {
  return qualified.find((one) => one.endsWith(`.${ownName}`))
}
