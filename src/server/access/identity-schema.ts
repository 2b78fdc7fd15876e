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
  role: { enum: ['admin', 'user'] },
  models: {
    anyOf: [
      { type: 'array', items: { type: 'string' } },
      { type: 'object', additionalProperties: AMOUNTS_SCHEMA },
    ],
  },
  limits: AMOUNTS_SCHEMA,
  host_tools: NONE,
} as const

/** Reserved: tokens cannot have ids that begin so. */
export const OIDC_IDS = 'oidc:'

/** The JSON Schemas of an identity that a token stands for. */
export const TOKEN_IDENTITY = {
  id: { type: 'string', pattern: '.', not: { pattern: `^${OIDC_IDS}` } },
  ...RIGHTS,
  scope: { type: 'string' },
  data: { type: 'object' },
} as const
