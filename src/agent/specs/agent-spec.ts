import type { ConfigLayer } from '@braidwork/core'
import type { ReasoningEffort } from '@braidwork/plugin'
import { REASONING_EFFORTS } from '@braidwork/plugin/internal'
import type { CatalogFields } from '../catalog/index.ts'
import type { CompactionLimits } from '../compaction/index.ts'
import type { Sections } from '../sections/index.ts'
import { STOP_CONDITIONS_SCHEMA, type StopCondition } from '../stop/index.ts'
import { type AgentEndpoint, ENDPOINT_SCHEMA } from './endpoint.ts'
import { TEAM_SCHEMA, type TeamSpec } from './team-spec.ts'

/** An agent as data: it refers to its model, its plugins and its tools by id. Absent and null are kept as written. */
export interface AgentSpec extends CatalogFields {
  readonly id: string
  readonly description?: string
  /** The id of a {@link ModelSpec}. By default the agent uses provider and model of the host's config. */
  readonly model_id?: string
  /** The first system message of each run. */
  readonly system_prompt?: string
  /** The highest number of steps in a run. The default is `limits.max_rounds` of the config, 16. AW-67 */
  readonly max_rounds?: number
  /** When a run stops before the agent is done, beside `max_rounds`. AW-66 */
  readonly stop_conditions?: readonly StopCondition[]
  /** How the model is shown the conversation. */
  readonly context_policy?: ContextPolicy
  /** How much the model reasons: a word, or a number of tokens. */
  readonly reasoning_effort?: ReasoningEffort | number
  /** Plugins that are on for this agent, beside those that are on by default. */
  readonly plugin_ids?: readonly string[]
  /** Of the features and tools that are on, those that act. State keys and handlers of the others stay. AW-65 */
  readonly active_hook_filter?: readonly string[]
  /** The ids of agents that this one may ask, each by the tool `agent_run_<id>`. AW-10 */
  readonly delegates?: readonly string[]
  /** Whether the agent may give parts of its work to subagents, by the tool `agent_spawn`. The default is false. AL-22 */
  readonly subagents?: boolean
  /** The team that the agent leads, or asks. AL-13 */
  readonly team?: TeamSpec
  /** A layer over the host's config. Provider and model come from the model's spec. */
  readonly config?: ConfigLayer
  /** What the runtime itself and features are told about this agent, by the name of the section, such as `retry`. AW-06 */
  readonly sections?: Sections
  /** Where the agent runs, if not here. Beside it, a spec has only `id` and `description`. AW-03 */
  readonly endpoint?: AgentEndpoint
}

/** How a model is shown a conversation. Numbers are narrowed to what the model really has. */
export interface ContextPolicy extends CompactionLimits {
  /**
   * Whether the extension `prompt-cache` is on, where it is registered and the provider has the tag `prompt-caching`.
   * The default is true. AW-45
   */
  readonly enable_prompt_cache?: boolean
}

/** The fields of a spec that an agent with an endpoint may have. */
export const REMOTE_FIELDS: ReadonlySet<string> = new Set(['id', 'description', 'endpoint'])

/** The keys of a config that an agent's layer may not have, and the place that decides about each. */
export const OWNED_KEYS = {
  provider: 'provider_id of the model',
  model: 'upstream_model of the model',
  plugins: 'the host',
  server: 'the host',
  agents: 'the host',
  models: 'the host',
} as const

/** An id of an agent or a model: it is part of addresses and file names. */
export const SPEC_ID = '^[A-Za-z0-9][\\w.-]{0,63}$'

const positive = { type: 'integer', minimum: 1 } as const
const strings = { type: 'array', items: { type: 'string' } } as const
const entries = { anyOf: [strings, { type: 'null' }] } as const

/** The JSON Schema (2020-12) of an {@link AgentSpec}. */
export const AGENT_SPEC_SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: SPEC_ID },
    description: { type: 'string' },
    model_id: { type: 'string' },
    system_prompt: { type: 'string' },
    max_rounds: { type: 'integer', minimum: 1 },
    stop_conditions: STOP_CONDITIONS_SCHEMA,
    context_policy: {
      type: 'object',
      properties: {
        enable_prompt_cache: { type: 'boolean' },
        max_context_tokens: positive,
        max_output_tokens: positive,
        autocompact_threshold: positive,
        compaction_mode: { enum: ['keep_recent_raw_suffix', 'compact_to_safe_frontier'] },
        compaction_raw_suffix_messages: { type: 'integer', minimum: 0 },
      },
      additionalProperties: false,
    },
    reasoning_effort: {
      anyOf: [{ enum: [...REASONING_EFFORTS] }, { type: 'integer', minimum: 0 }],
    },
    plugin_ids: strings,
    active_hook_filter: strings,
    subagents: { type: 'boolean' },
    delegates: { ...strings, uniqueItems: true, maxItems: 100 },
    team: TEAM_SCHEMA,
    allowed_tools: entries,
    allowed_tool_patterns: entries,
    excluded_tools: entries,
    excluded_tool_patterns: entries,
    config: { type: 'object' },
    sections: { type: 'object', additionalProperties: { type: 'object' } },
    endpoint: ENDPOINT_SCHEMA,
  },
  required: ['id'],
  additionalProperties: false,
} as const
