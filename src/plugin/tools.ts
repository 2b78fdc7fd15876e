import type {
  FinishReason,
  JsonSchema,
  MessagesInput,
  Part,
  ResultEvidence,
  RuntimeOwner,
  ToolPolicyDecision,
  ToolSafety,
  Usage,
} from './events/index.ts'
import type { RunSnapshot } from './run-hooks.ts'

/** A tool as it is offered to the model, without `safety` and what follows it. */
export interface ToolSchema {
  readonly name: string
  readonly description: string
  /** JSON Schema 2020-12 of the arguments; its type must be `object`. */
  readonly input_schema: JsonSchema
  readonly output_schema?: JsonSchema
  readonly safety?: ToolSafety
  /** Why the model is not shown the tool now. LT-08 */
  readonly unavailable?: string
  /** What runs the calls. The default is `local`. LR-02 */
  readonly runtime_owner?: RuntimeOwner
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
  /** Whether the call may end with a question: somebody can be asked. */
  readonly canAsk?: boolean
  /** The answer to the question with which this call ended. It has no value if the person declined. */
  readonly answer?: { readonly value?: unknown }
  /**
   * Asks the model of the run for a text, in the middle of the call. Only plugins in TypeScript have it, and only in a run
   * of an agent. It throws what the model API throws.
   */
  readonly askModel?: (request: ModelRequest) => Promise<ModelAnswer>
}

/** What a tool asks the model: messages and nothing else. Tools, features and the prompt of the agent are left out. */
export interface ModelRequest {
  readonly messages: MessagesInput
  readonly maxOutputTokens: number
  /** Another model of the same provider. */
  readonly model?: string
  readonly temperature?: number
  readonly stop?: readonly string[]
}

/** The answer of a model to a tool. */
export interface ModelAnswer {
  readonly parts: readonly Part[]
  readonly model: string
  readonly finishReason: FinishReason
  readonly usage: Usage
}

/** A question to a person in the middle of a call. `schema` is the JSON Schema of the answer; the default is a text. */
export interface ToolQuestion {
  readonly question: string
  readonly schema?: JsonSchema
}

/** A call as features see it. `name` is the name that the model uses, `input` the arguments as they would run now. */
export interface ToolCallInfo extends Omit<ToolCall, 'askModel'> {
  /** The plugin of the tool. Absent for a tool of the caller. */
  readonly plugin?: string
  readonly safety: ToolSafety
  readonly policy: ToolPolicyDecision
}

/** A call that a gate judges, and the run as the gate's feature sees it. AW-61 */
export interface GatedCall extends ToolCallInfo {
  readonly run: RunSnapshot
}

/** Other arguments for a call. The reason is recorded with the call. LT-02 */
export interface ToolCallEdit {
  readonly input: { readonly [key: string]: unknown }
  readonly reason: string
}

/** Another result for the model. The reason is recorded with the call. */
export interface ToolResultEdit {
  readonly output: unknown
  readonly reason: string
}

/** What a gate says of a call: it may not run, waits for a person, or has this result without running. AW-64 */
export type ToolGateVerdict =
  | { readonly block: string }
  | { readonly suspend: string }
  | { readonly result: unknown; readonly reason: string }

/**
 * A tool result with flags. `native` holds data that only the named provider can read (CL-46). Artifacts and evidence are
 * for people and programs; the model is not shown them (LR-04).
 */
export interface ToolOutput extends ResultEvidence {
  readonly output: unknown
  readonly isError?: boolean
  readonly native?: { readonly [provider: string]: unknown }
  /** Asks a person; then the call goes on with the answer. Without `canAsk` of the call, `output` is the result. */
  readonly question?: ToolQuestion
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
