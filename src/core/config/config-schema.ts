import { isObject } from '@braidwork/plugin'
import { REASONING_EFFORTS, TOOL_POLICIES } from '@braidwork/plugin/internal'

const strings = { type: 'array', items: { type: 'string' } }
const positive = { type: 'number', exclusiveMinimum: 0 }
const count = { type: 'integer', minimum: 1 }
/** A list of ids, or a change to the list of the layer below. CL-19 */
const idList = {
  anyOf: [
    strings,
    {
      type: 'object',
      properties: { add: strings, remove: strings },
      additionalProperties: false,
    },
  ],
}

/** The JSON Schema of the config's known keys. Other keys reach plugins unchanged. */
export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    provider: { type: 'string' },
    model: { type: 'string' },
    plugins: strings,
    enabled_plugins: idList,
    disabled_plugins: idList,
    force_enabled_plugins: idList,
    temperature: { type: 'number', minimum: 0 },
    top_p: { type: 'number', minimum: 0, maximum: 1 },
    max_output_tokens: { type: 'integer', minimum: 1 },
    stop: { anyOf: [{ type: 'string' }, strings] },
    seed: { type: 'integer' },
    tool_choice: {
      anyOf: [
        { enum: ['auto', 'none', 'required'] },
        {
          type: 'object',
          properties: { tool: { type: 'string' } },
          required: ['tool'],
          additionalProperties: false,
        },
      ],
    },
    parallel_tool_calls: { type: 'boolean' },
    reasoning_effort: {
      anyOf: [{ enum: [...REASONING_EFFORTS] }, { type: 'integer', minimum: 0 }],
    },
    response_format: {
      type: 'object',
      properties: {
        type: { enum: ['text', 'json', 'json-schema'] },
        schema: { type: 'object' },
        name: { type: 'string' },
        description: { type: 'string' },
      },
      required: ['type'],
      additionalProperties: false,
    },
    presence_penalty: { type: 'number', minimum: -2, maximum: 2 },
    frequency_penalty: { type: 'number', minimum: -2, maximum: 2 },
    logit_bias: {
      type: 'object',
      additionalProperties: { type: 'number', minimum: -100, maximum: 100 },
    },
    user: { type: 'string' },
    metadata: { type: 'object', additionalProperties: { type: 'string' } },
    store: { type: 'boolean' },
    reasoning_summary: { enum: ['auto', 'concise', 'detailed'] },
    sealed_reasoning: { type: 'boolean' },
    prompt_cache_key: { type: 'string' },
    answer_effort: { type: 'string' },
    /** From how many of the likeliest tokens the model chooses. */
    top_k: { type: 'integer', minimum: 1 },
    settings: { type: 'object', additionalProperties: { type: 'object' } },
    // Not "minLength": with it, the validator that the build compiles would need ajv at run time to count characters.
    tool_names: { type: 'object', additionalProperties: { type: 'string', pattern: '.' } },
    tool_policy: { type: 'object', additionalProperties: { enum: [...TOOL_POLICIES] } },
    on_sibling_failure: { enum: ['ignore', 'cancel'] },
    on_interrupt: { enum: ['resume', 'end'] },
    /** Agents and models by id. Plugins do not see them. */
    agents: { type: 'object', additionalProperties: { type: 'object' } },
    models: {
      type: 'object',
      additionalProperties: { anyOf: [{ type: 'object' }, { type: 'array' }] },
    },
    /** Only the server reads it; plugins do not see it. */
    server: { type: 'object' },
    limits: {
      type: 'object',
      properties: {
        hook: positive,
        process_chunk: positive,
        execute_tool: positive,
        connect: positive,
        call: positive,
        stream_idle: positive,
        answer: positive,
        answer_bytes: count,
        answer_events: count,
        answer_parts: count,
        answer_calls: count,
        stream_bytes: count,
        retry_after: { type: 'number', minimum: 0 },
        tool_result_bytes: { type: 'integer', minimum: 1024 },
        max_rounds: count,
        approval: positive,
      },
      additionalProperties: false,
    },
  },
} as const

/** The words that keys of a config have as choices. They are no secrets, also where they come from variables. */
export const CHOICES: ReadonlySet<string> = new Set(choicesIn(CONFIG_SCHEMA))

function choicesIn(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(choicesIn)
  if (!isObject(schema)) return []
  return Object.entries(schema).flatMap(([key, inner]) =>
    key === 'enum' && Array.isArray(inner) ? inner.map(String) : choicesIn(inner),
  )
}
