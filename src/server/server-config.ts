import { HostError } from '../errors.ts'
import type { JsonObject } from '../events/index.ts'
import { validatorOf } from '../schema/json-schema.ts'
import { fillReferences } from '../schema/layers.ts'
import type { TokenIdentity } from './identity.ts'
import type { PublishedModels } from './published.ts'
import { PROTOCOLS, type Protocol, type WireLimits } from './server-options.ts'

/** What `server` in a config file may say. */
export interface ServerConfig {
  readonly models?: PublishedModels
  readonly tokens?: readonly TokenIdentity[]
  readonly hosts?: readonly string[]
  readonly origins?: readonly string[]
  readonly limits?: Partial<WireLimits>
  readonly cancel_after_ms?: number
  readonly heartbeat_ms?: number
  readonly retention_days?: number
  readonly ask_allowed_on?: readonly Protocol[]
  readonly settable?: readonly string[]
  readonly base_path?: string
  /** `memory`, a path or `file:` of SQLite, or `postgres://…`. */
  readonly store?: string
  /** Whether the log has what was asked and answered. */
  readonly log_content?: boolean
}

const texts = { type: 'array', items: { type: 'string' } } as const
const count = { type: 'integer', minimum: 1 } as const

/** JSON Schema of `server` in a config file. */
export const SERVER_SCHEMA = {
  type: 'object',
  properties: {
    models: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: { title: { type: 'string' }, config: { type: 'object' } },
        additionalProperties: false,
      },
    },
    tokens: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          token: { type: 'string', pattern: '^\\S{16,}$' },
          id: { type: 'string', pattern: '.' },
          role: { enum: ['admin', 'user'] },
          models: texts,
        },
        required: ['token', 'id'],
        additionalProperties: false,
      },
    },
    hosts: texts,
    origins: { type: 'array', items: { type: 'string', pattern: '^https?://[^/]+$' } },
    limits: {
      type: 'object',
      properties: {
        requests_per_minute: count,
        runs: count,
        cost_per_day: { type: 'number', exclusiveMinimum: 0 },
        body: count,
        file: count,
      },
      additionalProperties: false,
    },
    cancel_after_ms: { type: 'integer', minimum: 0 },
    heartbeat_ms: count,
    retention_days: { type: 'number', minimum: 0 },
    ask_allowed_on: { type: 'array', items: { enum: PROTOCOLS } },
    settable: { type: 'array', items: { type: 'string', pattern: '^/(settings|switches)/' } },
    base_path: { type: 'string', pattern: '^(/[\\w.~-]+)+$' },
    store: { type: 'string', pattern: '.' },
    log_content: { type: 'boolean' },
  },
  additionalProperties: false,
} as const

/**
 * The part of a config that is the server's, its `${env:NAME}` filled in.
 * @throws {HostError} CONFIG_INVALID, with a pointer; ENV_MISSING
 */
export async function readServerConfig(
  given: unknown,
  environment: { readonly [name: string]: string | undefined },
): Promise<ServerConfig> {
  const { config } = fillReferences((given ?? {}) as JsonObject, environment)
  const fault = (await validatorOf(SERVER_SCHEMA))(config)
  if (!fault) return config as ServerConfig
  throw new HostError('CONFIG_INVALID', `"server" is wrong: ${fault.message}.`, {
    pointer: `/server${fault.pointer}`,
  })
}
