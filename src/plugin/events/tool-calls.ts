/** The part of the world that a tool's calls touch. LR-02 */
export type ToolCapability =
  | ('read' | 'write' | 'network' | 'browser')
  | ('filesystem' | 'shell' | 'artifact' | 'custom')

/** A tool's statement about its own safety. Everything that it does not state counts as unsafe. */
export interface ToolSafety {
  readonly is_read_only?: boolean
  /** May run at the same time as other calls. */
  readonly is_concurrency_safe?: boolean
  readonly is_destructive?: boolean
  /** The same call may run twice with the effect of once. */
  readonly is_idempotent?: boolean
  readonly interrupt_behavior?: 'cancel' | 'block'
  /** A call `{question, options?, schema?}` never runs: a person is asked, and the answer is its result. CT-31 */
  readonly asks_user?: boolean
  /** The default is `read` for a tool that only reads, else `write`. */
  readonly capabilities?: readonly ToolCapability[]
}

/** Something that a call made or changed and that remains after the run, such as a file, a page or a ticket. LR-04 */
export interface Artifact {
  /** Its address, or an id by which the tool finds it again. */
  readonly uri: string
  readonly title?: string
  readonly mediaType?: string
  /** In bytes. */
  readonly size?: number
}

/** What a tool states about its result, at most 100 of each. */
export interface ResultEvidence {
  readonly artifacts?: readonly Artifact[]
  /** Addresses or ids of the sources on which the result rests. */
  readonly evidence?: readonly string[]
}

/** The states in which a tool call has its result and does not change any more. LT-03 */
export type FinalCallState =
  | ('succeeded' | 'failed' | 'timed_out' | 'canceled')
  | ('validation_failed' | 'denied' | 'blocked')

/** Why a call did not succeed. LT-05; `outcome_unknown`: the call began, and nobody saw its end. LT-10 */
export type ToolErrorClass =
  | ('unknown_tool' | 'invalid_arguments' | 'permission_denied' | 'approval_rejected')
  | ('policy_blocked' | 'hook_blocked' | 'timeout' | 'rate_limited' | 'dependency_unavailable')
  | ('execution_failed' | 'result_too_large' | 'sibling_canceled' | 'canceled')
  | 'outcome_unknown'

/** The error of a call that did not succeed. */
export interface ToolCallError {
  readonly class: ToolErrorClass
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
  /** Seconds to wait before the next try, if the tool states them. */
  readonly retryAfter?: number
  /** What the model or a person can do about it. */
  readonly advice?: string
}

/** What a feature did to a call, and why. LT-02, LR-04 */
export interface ToolHookRecord {
  readonly plugin: string
  readonly hook: 'editToolCall' | 'toolGate' | 'editToolResult'
  readonly reason: string
  /** The arguments after the change. Only of `editToolCall`. */
  readonly input?: unknown
}

/** Whether a call may run, waits for a person, or may not run. LT-07 */
export interface ToolPolicyDecision {
  readonly decision: 'allow' | 'ask' | 'deny'
  /** The JSON pointer of the config entry that decided, or `default`. */
  readonly source: string
  readonly reason: string
}

/** What runs a tool. LR-02 */
export type RuntimeOwner =
  | 'local'
  | 'mcp_server'
  | 'hosted_connector'
  | 'provider_native'
  | 'workflow'
  | 'subagent'

/** A registered tool, offered or not. The keys are those of exported events. LR-01, LT-08 */
export interface InventoryTool {
  /** The name that the model uses. For a plugin that is off, whose tools are not known, the name of the plugin. */
  readonly tool_name: string
  /** The plugin's name. Absent for a tool of the caller. */
  readonly plugin?: string
  /** `<plugin>.<tool>`, or the caller's own name of the tool. */
  readonly metadata_ref: string
  readonly description?: string
  /** Absent for a plugin that is off. */
  readonly input_schema?: { readonly [key: string]: unknown }
  readonly capabilities: readonly ToolCapability[]
  readonly safety: ToolSafety
  readonly policy: 'allowed' | 'ask' | 'denied' | 'unavailable'
  readonly runtime_owner: RuntimeOwner
  readonly offered: boolean
  /** Why the model is not shown the tool, or why it must ask: the rule of resolution, or the policy's reason. */
  readonly reason?: string
  /** The reason as a code with its values. Absent if a plugin or a program gave a text only. */
  readonly why?: { readonly code: string; readonly [value: string]: unknown }
}
