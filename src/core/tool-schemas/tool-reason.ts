/** A reason as a code with its values, for programs that have words of their own for it. */
export type ReasonFacts =
  /** A rule of the resolution turns the tool's plugin off. `tags`: those that decide, if the rule is about tags. */
  | { readonly code: 'PLUGIN_OFF'; readonly rule: string; readonly tags: readonly string[] }
  /** The tool's plugin is on, but not among those that act. */
  | { readonly code: 'PLUGIN_INACTIVE' }
  /** The plugin is on, and offers no tool for this config. */
  | { readonly code: 'TOOLS_MISSING' }
  /** A policy of a config denies the tool, or asks a person. `pointer`: the place of the policy. */
  | { readonly code: 'POLICY_DENIES' | 'POLICY_ASKS'; readonly pointer: string }
  /** An exclude field of the agent lists the tool. `entry`: by this name or pattern. */
  | { readonly code: 'TOOL_EXCLUDED'; readonly entry: string }
  /** The agent has an allow field, and none lists the tool. */
  | { readonly code: 'TOOL_UNLISTED' }
  /** The environment hook that offers the tool does not offer it to this agent. */
  | { readonly code: 'TOOL_OUT_OF_SCOPE'; readonly hook: string }
  /** Another tool has the name. */
  | { readonly code: 'TOOL_NAME_TAKEN'; readonly name: string }
  /** There is no large result that the tool could read. */
  | { readonly code: 'RESULTS_MISSING' }

/** Why the model is not shown a tool. */
export interface ToolReason {
  /** The reason in English. */
  readonly text: string
  readonly why: ReasonFacts
}
