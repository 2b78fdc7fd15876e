import type { Part } from './events/index.ts'

/** What a tool says of its own safety; what it does not say counts as unsafe. */
export interface ToolSafety {
  readonly is_read_only?: boolean
  /** May run beside its neighbours. */
  readonly is_concurrency_safe?: boolean
  readonly is_destructive?: boolean
  readonly interrupt_behavior?: 'cancel' | 'block'
}

/** A tool as it is offered to the model. `safety` stays with the host. */
export interface ToolSchema {
  readonly name: string
  readonly description: string
  /** JSON Schema 2020-12 of the arguments, an object. */
  readonly input_schema: { readonly [key: string]: unknown }
  readonly output_schema?: { readonly [key: string]: unknown }
  readonly safety?: ToolSafety
}

/** A tool as `config.tools` has it in `init`: `input_schema` in the words of the provider's `toolSchemaFormat`. */
export interface ModelTool extends ToolSchema {
  /** Whether the API is to enforce the schema; absent in formats that cannot say it. */
  readonly strict?: boolean
}

/** A call that reached a tool, its arguments validated; `name` is the tool's own. */
export interface ToolCall {
  readonly callId: string
  readonly name: string
  readonly input: unknown
}

/** A result with its marks. `native` is what one provider alone opens. CL-46 */
export interface ToolOutput {
  readonly output: unknown
  readonly isError?: boolean
  readonly native?: { readonly [provider: string]: unknown }
}

/** A string, parts, a {@link ToolOutput}, an async iterator of progress and then the result, or any JSON. */
export type ToolResult =
  | string
  | readonly Part[]
  | ToolOutput
  | AsyncIterable<unknown>
  | object
  | number
  | boolean
  | null
