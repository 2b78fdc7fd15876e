import type { ModelTool } from './tools.ts'

/** What hooks, answers and runs may take, times in seconds; see {@link DEFAULT_LIMITS}. */
export interface Limits {
  /** A hook that answered with a promise. */
  readonly hook: number
  readonly process_chunk: number
  readonly execute_tool: number
  /** Until a model API has answered with headers; kept by providers. */
  readonly connect: number
  /** The whole of a provider's `call`. */
  readonly call: number
  /** Silence between two chunks of a stream, and before the first. Chunks that bring nothing put it off twice. */
  readonly stream_idle: number
  /** The whole of an answer, streamed or not. */
  readonly answer: number
  /** What an answer holds: its texts, arguments and files; also one event of a model API, or its answer in one piece. */
  readonly answer_bytes: number
  /** Events of an answer, and chunks of its stream. */
  readonly answer_events: number
  readonly answer_parts: number
  readonly answer_calls: number
  /** A stream of a model API as it was sent, decoded; kept by providers. */
  readonly stream_bytes: number
  /** The longest wait that a model API may ask for before it is asked again; kept by providers. */
  readonly retry_after: number
  /** Steps of a run. */
  readonly max_rounds: number
  /** Until a call that waits for an approval counts as refused. */
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
  max_rounds: 16,
  approval: 86_400,
}

/** A model that reasons may be silent for long. */
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

/** What the answer must look like. */
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

/** The keys of a config that the host knows. CONTRACT 2 */
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
  /** By `<plugin>.<tool>`, or as the model calls the tool; `allow` where nothing is said. */
  readonly tool_policy?: { readonly [tool: string]: ToolPolicy }
  readonly limits?: Partial<Limits>
  /** Within a request: the tools that are on, as the provider takes them. CL-31 */
  readonly tools?: readonly ModelTool[]
}

/** A config as a request has it: layers merged, every list a plain one. Unknown keys reach plugins unchanged. */
export interface Config extends KnownConfig {
  readonly [key: string]: unknown
}

/** The limits of a config, defaults filled in. */
export function limitsOf(config: Config): Limits {
  const reasons = config.reasoning_effort !== undefined && config.reasoning_effort !== 'none'
  const defaults = reasons
    ? { ...DEFAULT_LIMITS, stream_idle: REASONING_STREAM_IDLE }
    : DEFAULT_LIMITS
  return config.limits ? { ...defaults, ...config.limits } : defaults
}
