import type { Part } from './events/index.ts'

/** The part of the world that a tool's calls touch. LR-02 */
export type ToolCapability =
  | 'read'
  | 'write'
  | 'network'
  | 'browser'
  | 'filesystem'
  | 'shell'
  | 'artifact'
  | 'custom'

/** A tool's statement about its own safety. Everything that it does not state counts as unsafe. */
export interface ToolSafety {
  readonly is_read_only?: boolean
  /** May run at the same time as other calls. */
  readonly is_concurrency_safe?: boolean
  readonly is_destructive?: boolean
  /** The same call may run twice with the effect of once, so it is repeated after a crash. */
  readonly is_idempotent?: boolean
  readonly interrupt_behavior?: 'cancel' | 'block'
  /** The default is `read` for a tool that only reads, else `write`. */
  readonly capabilities?: readonly ToolCapability[]
}

/** A tool as it is offered to the model. `safety` is not sent to the model. */
export interface ToolSchema {
  readonly name: string
  readonly description: string
  /** JSON Schema 2020-12 of the arguments; its type must be `object`. */
  readonly input_schema: { readonly [key: string]: unknown }
  readonly output_schema?: { readonly [key: string]: unknown }
  readonly safety?: ToolSafety
}

/** A tool in `config.tools`, as `init` receives it: `input_schema` is in the provider's `toolSchemaFormat`. */
export interface ModelTool extends ToolSchema {
  /** Whether the API enforces the schema. Absent in formats that have no such flag. */
  readonly strict?: boolean
}

/** A call that a tool receives, after validation of its arguments. `name` is the tool's own name for it. */
export interface ToolCall {
  readonly callId: string
  readonly name: string
  readonly input: unknown
}

/** A tool result with flags. `native` holds data that only the named provider can read. CL-46 */
export interface ToolOutput {
  readonly output: unknown
  readonly isError?: boolean
  readonly native?: { readonly [provider: string]: unknown }
}

/** A string, parts, a {@link ToolOutput}, an async iterator that yields progress and then the result, or any JSON. */
export type ToolResult =
  | string
  | readonly Part[]
  | ToolOutput
  | AsyncIterable<unknown>
  | object
  | number
  | boolean
  | null
