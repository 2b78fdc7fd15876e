import { OIDC_SCHEMA, TOKEN_IDENTITY } from '../access/index.ts'
import { ORIGIN, SETTING, TOKEN } from './server-config-faults.ts'
import { BASE_PATH, PROTOCOLS } from './server-options.ts'

const texts = { type: 'array', items: { type: 'string' } } as const
const pointers = { type: 'array', items: { type: 'string', pattern: SETTING } } as const
const NONE = { const: 'none' } as const
const count = { type: 'integer', minimum: 1 } as const
/** A smaller size is most likely meant in other units. */
const bytes = { type: 'integer', minimum: 1024 } as const

/** The JSON Schema of `server` in a config file. */
export const SERVER_SCHEMA = {
  type: 'object',
  properties: {
    models: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: { title: { type: 'string' }, config: { type: 'object' }, host_tools: NONE },
        additionalProperties: false,
      },
    },
    agents: texts,
    tokens: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          token: { type: 'string', pattern: TOKEN },
          ...TOKEN_IDENTITY,
        },
        required: ['token', 'id'],
        additionalProperties: false,
      },
    },
    stored_tokens: { type: 'boolean' },
    oidc: OIDC_SCHEMA,
    hosts: texts,
    origins: { type: 'array', items: { type: 'string', pattern: ORIGIN } },
    limits: {
      type: 'object',
      properties: {
        requests_per_minute: count,
        runs: count,
        cost_per_day: { type: 'number', exclusiveMinimum: 0 },
        body: bytes,
        messages: count,
        parts: count,
        calls: count,
        tools: count,
        values: count,
        depth: { type: 'integer', minimum: 1, maximum: 200 },
        file: bytes,
        attachments: bytes,
        bodies: bytes,
        all_bodies: bytes,
        storage: bytes,
        conversations: count,
        files: count,
        conversation: bytes,
      },
      additionalProperties: false,
    },
    cancel_after_ms: { type: 'integer', minimum: 0 },
    heartbeat_ms: count,
    retention_days: { type: 'number', minimum: 0 },
    keep_responses: { anyOf: [{ const: false }, { type: 'number', exclusiveMinimum: 0 }] },
    lease_seconds: { type: 'number', minimum: 1 },
    drain_seconds: { type: 'number', minimum: 0, maximum: 3600 },
    ask_allowed_on: { type: 'array', items: { enum: PROTOCOLS } },
    telemetry: {
      type: 'object',
      properties: { content: { type: 'boolean' } },
      additionalProperties: false,
    },
    push_notifications: {
      type: 'object',
      properties: { allow_private: { type: 'boolean' } },
      additionalProperties: false,
    },
    settable: pointers,
    actions: texts,
    mcp_tools: { type: 'string', minLength: 1 },
    storable: pointers,
    base_path: { type: 'string', pattern: BASE_PATH },
    page: { type: 'boolean' },
    trust_proxy: { type: 'boolean' },
    store: { type: 'string', pattern: '.' },
    log_content: { type: 'boolean' },
    show_upstream_errors: { type: 'boolean' },
  },
  additionalProperties: false,
} as const
