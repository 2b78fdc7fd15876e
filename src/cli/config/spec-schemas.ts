import { AGENT_SPEC_SCHEMA, MODEL_POOL_SCHEMA, MODEL_SPEC_SCHEMA } from '@braidwork/agent'
import { OWNED_KEYS } from '@braidwork/agent/internal'

type Properties = { readonly [key: string]: unknown }

/** Keys of a config file that the config of an agent does not have. */
const OF_FILES = ['$schema', 'extends']

/**
 * The JSON Schemas of `agents` and `models` in a config file, for editors. The key is the id, so a spec need not have one.
 * @param whole the properties of the schema of the file, to which that of an agent's config refers
 */
export function specSchemas(whole: Properties): Properties {
  const agent = {
    ...withoutId(AGENT_SPEC_SCHEMA),
    properties: { ...AGENT_SPEC_SCHEMA.properties, config: configSchema(whole) },
  }
  const model = withoutId(MODEL_SPEC_SCHEMA)
  const candidates = { type: 'array', items: { anyOf: [{ type: 'string' }, model] }, minItems: 1 }
  const pool = {
    ...withoutId(MODEL_POOL_SCHEMA),
    properties: { ...MODEL_POOL_SCHEMA.properties, candidates },
  }
  return {
    agents: { type: 'object', additionalProperties: agent },
    models: { type: 'object', additionalProperties: { anyOf: [model, pool, candidates] } },
  }
}

/** The layer of an agent: what a config may have, but for what its spec or the host decides. */
function configSchema(whole: Properties): Properties {
  const keys = Object.keys(whole).filter((key) => !(key in OWNED_KEYS) && !OF_FILES.includes(key))
  const properties = keys.map((key) => [key, { $ref: `#/properties/${key}` }] as const)
  return { type: 'object', properties: Object.fromEntries(properties) }
}

function withoutId<T extends { readonly required: readonly string[] }>(schema: T) {
  return { ...schema, required: schema.required.filter((key) => key !== 'id') }
}
