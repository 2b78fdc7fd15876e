import { ROLES } from '../identity.ts'

const NONE = { const: 'none' } as const
const count = { type: 'integer', minimum: 1 } as const

/** The JSON Schema of limits that all servers of a storage count together. */
export const AMOUNTS_SCHEMA = {
  type: 'object',
  properties: {
    requests_per_minute: count,
    requests_per_day: count,
    tokens_per_day: count,
    cost_per_day: { type: 'number', exclusiveMinimum: 0 },
  },
  additionalProperties: false,
} as const

/** The JSON Schemas of what an identity may do. */
export const RIGHTS = {
  role: { enum: [...ROLES] },
  models: {
    anyOf: [
      { type: 'array', items: { type: 'string' } },
      { type: 'object', additionalProperties: AMOUNTS_SCHEMA },
    ],
  },
  limits: AMOUNTS_SCHEMA,
  host_tools: NONE,
} as const

/** What the ids of callers begin with whom an OIDC issuer identifies. Tokens cannot have such ids. */
export const OIDC_IDS = 'oidc:'

/** The JSON Schemas of an identity that a token stands for. */
export const TOKEN_IDENTITY = {
  id: { type: 'string', pattern: '\\S', not: { pattern: `^${OIDC_IDS}` } },
  ...RIGHTS,
  scope: { type: 'string' },
  data: { type: 'object' },
} as const

/** Addresses of an issuer. Keys that come over plain HTTP could be anybody's, except from this machine. */
export const ADDRESS = '^(?:https://|http://(?:127\\.0\\.0\\.1|localhost|\\[::1\\])[:/])'
export const ADDRESS_EXPECTED = 'an address with https:, or one of this machine with http:'
const address = { type: 'string', pattern: ADDRESS } as const
const text = { type: 'string', pattern: '.' } as const

/** The JSON Schema of `oidc` in the `server` part of a config. */
export const OIDC_SCHEMA = {
  type: 'object',
  properties: {
    issuer: address,
    audience: { anyOf: [text, { type: 'array', items: text, minItems: 1 }] },
    jwks_uri: address,
    role_claim: text,
    admin_values: { type: 'array', items: text },
    scope_claim: text,
    models: RIGHTS.models,
    limits: RIGHTS.limits,
    host_tools: RIGHTS.host_tools,
  },
  required: ['issuer', 'audience'],
  additionalProperties: false,
} as const
