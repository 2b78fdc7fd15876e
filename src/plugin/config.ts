import type { ModelTool } from './tools.ts'

/** The limits for hooks, answers and runs; times are in seconds. See {@link DEFAULT_LIMITS} for the defaults. */
export interface Limits {
  /** Time until the promise of a hook settles. */
  readonly hook: number
  readonly process_chunk: number
  readonly execute_tool: number
  /** Time until a model API has sent the response headers. Providers enforce it. */
  readonly connect: number
  /** Time for the whole of a provider's `call`. */
  readonly call: number
  /** Time without a chunk of a stream. Empty chunks extend it: ten times before the first content, then three times. */
  readonly stream_idle: number
  /** Time for a whole answer, streamed or not. */
  readonly answer: number
  /** Bytes of an answer's texts, arguments and files; also of one event, or one unstreamed response, of a model API. */
  readonly answer_bytes: number
  /** Number of events in an answer, and of chunks in its stream. */
  readonly answer_events: number
  readonly answer_parts: number
  readonly answer_calls: number
  /** Bytes of a model API's stream after decoding. Providers enforce it. */
  readonly stream_bytes: number
  /** The longest `Retry-After` of a model API that a provider waits for before it retries. */
  readonly retry_after: number
  /** Bytes of a tool's result as the model gets it. A larger result is stored. LT-09 */
  readonly tool_result_bytes: number
  /** Number of steps in a run. */
  readonly max_rounds: number
  /** Time until an unanswered approval counts as refused. */
  readonly approval: number
}

export const DEFAULT_LIMITS: Limits = {
  hook: 30,
  process_chunk: 5,
  execute_tool: 120,
  connect: 30,
  call: 600,
  stream_idle: 60,
  answer: 14_400,
  answer_bytes: 64 * 1024 * 1024,
  answer_events: 2_000_000,
  answer_parts: 20_000,
  answer_calls: 4000,
  stream_bytes: 256 * 1024 * 1024,
  retry_after: 60,
  tool_result_bytes: 64 * 1024,
  max_rounds: 16,
  approval: 86_400,
}

/** The default `stream_idle` for models that reason, which may send nothing for minutes. */
const REASONING_STREAM_IDLE = 300

export const REASONING_EFFORTS = [
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
] as const
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number]

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string }

/** Whether the host runs a tool's calls: at once, after a person's approval, or never. */
export const TOOL_POLICIES = ['allow', 'ask', 'deny'] as const
export type ToolPolicy = (typeof TOOL_POLICIES)[number]

/** The format that the model's answer must have. */
export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json' }
  | {
      readonly type: 'json-schema'
      readonly schema: { readonly [key: string]: unknown }
      readonly name?: string
      readonly description?: string
    }

/** Settings of one plugin. */
export type Settings = { readonly [key: string]: unknown }

/** The keys of a config that the host knows. */
export interface KnownConfig {
  readonly provider?: string
  readonly model?: string
  readonly plugins?: readonly string[]
  readonly enabled_plugins?: readonly string[]
  readonly disabled_plugins?: readonly string[]
  readonly force_enabled_plugins?: readonly string[]
  readonly temperature?: number
  readonly top_p?: number
  readonly max_output_tokens?: number
  readonly stop?: string | readonly string[]
  readonly seed?: number
  readonly tool_choice?: ToolChoice
  readonly parallel_tool_calls?: boolean
  readonly reasoning_effort?: ReasoningEffort | number
  readonly response_format?: ResponseFormat
  readonly settings?: { readonly [plugin: string]: Settings }
  readonly tool_names?: { readonly [tool: string]: string }
  /** The keys are `<plugin>.<tool>` or the name that the model sees. The default is `allow`. */
  readonly tool_policy?: { readonly [tool: string]: ToolPolicy }
  /** Whether a call that fails cancels the other calls of its step. The default is `ignore`. LT-06 */
  readonly on_sibling_failure?: 'ignore' | 'cancel'
  /**
   * What becomes of a stored run whose process ended before it did, with no person's answer outstanding: it ends as
   * interrupted (`end`, the default), or another process goes on with it (`resume`). LT-10
   */
  readonly on_interrupt?: 'resume' | 'end'
  readonly limits?: Partial<Limits>
  /** Only within a request: the enabled tools in the provider's schema format. CL-31 */
  readonly tools?: readonly ModelTool[]
}

/** The config of a request: layers merged, and every list a plain array. Unknown keys reach plugins unchanged. */
export interface Config extends KnownConfig {
  readonly [key: string]: unknown
}

/** The limits of a config, with defaults filled in. */
export function limitsOf(config: Config): Limits {
  const reasons = config.reasoning_effort !== undefined && config.reasoning_effort !== 'none'
  const defaults = reasons
    ? { ...DEFAULT_LIMITS, stream_idle: REASONING_STREAM_IDLE }
    : DEFAULT_LIMITS
  return config.limits ? { ...defaults, ...config.limits } : defaults
}
