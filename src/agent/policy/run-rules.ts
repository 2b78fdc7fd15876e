/** Limits that the owner of a run sets beside the spec of its agent. What is absent does not restrict. AL-16 */
export interface RunRules {
  /** The highest number of steps. */
  readonly max_iterations?: number
  /** The tools that may run, by the names that the model uses. */
  readonly allowed_tools?: readonly string[]
  /** RE2 patterns. A call with a match in one of its texts does not run. */
  readonly forbidden_patterns?: readonly string[]
}

/** The rules that satisfy both: the least steps, the common tools, all forbidden patterns. AL-17 */
export function narrowed(parent: RunRules, child: RunRules): RunRules {
  const steps = [parent.max_iterations, child.max_iterations].filter((one) => one !== undefined)
  const patterns = [...(parent.forbidden_patterns ?? []), ...(child.forbidden_patterns ?? [])]
  const tools = commonTools(parent.allowed_tools, child.allowed_tools)
  return {
    ...(steps.length > 0 ? { max_iterations: Math.min(...steps) } : {}),
    ...(tools ? { allowed_tools: tools } : {}),
    ...(patterns.length > 0 ? { forbidden_patterns: [...new Set(patterns)] } : {}),
  }
}

function commonTools(
  parent: readonly string[] | undefined,
  child: readonly string[] | undefined,
): readonly string[] | undefined {
  if (!parent || !child) return parent ?? child
  return child.filter((name) => parent.includes(name))
}
