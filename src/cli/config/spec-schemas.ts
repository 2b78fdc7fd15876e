import { AGENT_SPEC_SCHEMA, MODEL_POOL_SCHEMA, MODEL_SPEC_SCHEMA } from '@braidwork/agent'
import { AS_WRITTEN, OWNED_KEYS, RUNTIME_CLAIMS, SPEC_ID } from '@braidwork/agent/internal'
import type { Schema } from './map-schemas.ts'
import { withReferences } from './with-references.ts'

/** Keys of a config file that the config of an agent does not have. */
const OF_FILES = ['$schema', 'extends']
/** Keys of a config file that the config of a published model does not have. */
const OF_HOSTS = [...OF_FILES, 'server', 'agents', 'models']

const ID = { pattern: SPEC_ID } as const

/**
 * The JSON Schemas of `agents` and `models` in a config file, for editors. The key is the id, so a spec need not have one.
 * @param whole the properties of the schema of the file, to which that of an agent's config refers
 */
export function specSchemas(whole: Schema): Schema {
  const config = layerSchema(whole, [...Object.keys(OWNED_KEYS), ...OF_FILES])
  const { id, ...keys } = { ...AGENT_SPEC_SCHEMA.properties, config, sections: sections() }
  const fields = Object.entries(keys).map(([key, schema]) => [
    key,
    AS_WRITTEN.includes(key) ? schema : withReferences(schema),
  ])
  const agent = {
    ...withoutId(AGENT_SPEC_SCHEMA),
    properties: { id, ...Object.fromEntries(fields) },
  }
  const model = withoutId(MODEL_SPEC_SCHEMA)
  const candidates = { type: 'array', items: { anyOf: [{ type: 'string' }, model] }, minItems: 1 }
  const pool = {
    ...withoutId(MODEL_POOL_SCHEMA),
    properties: { ...MODEL_POOL_SCHEMA.properties, candidates },
  }
  return {
    agents: { type: 'object', propertyNames: ID, additionalProperties: agent },
    models: withReferences({
      type: 'object',
      propertyNames: ID,
      additionalProperties: { anyOf: [model, pool, candidates] },
    }),
  }
}

/** The JSON Schema of the file of an agent. @param whole that of a config file, to which the agent's config refers */
export function agentFileSchema({ $schema, properties }: Schema): Schema {
  const all = properties as { readonly [key: string]: Schema }
  const { additionalProperties } = all['agents'] as { readonly additionalProperties: Schema }
  const fields = additionalProperties['properties'] as { readonly [field: string]: Schema }
  const keys = Object.keys(Object(fields['config']?.['properties']))
  const config = {
    ...fields['config'],
    properties: Object.fromEntries(keys.map((key) => [key, all[key]])),
  }
  return {
    $schema,
    title: 'Braidwork agent',
    ...additionalProperties,
    properties: { $schema: all['$schema'], ...fields, config },
  }
}

/** The JSON Schema of the config of a published model, for editors. @param whole as for {@link specSchemas} */
export function publishedConfigSchema(whole: Schema): Schema {
  return layerSchema(whole, OF_HOSTS)
}

/** A layer over the config of the file, without the keys that others decide. */
function layerSchema(whole: Schema, others: readonly string[]): Schema {
  const keys = Object.keys(whole).filter((key) => !others.includes(key))
  const properties = keys.map((key) => [key, { $ref: `#/properties/${key}` }] as const)
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  }
}

/** The sections of an agent: those that the runtime reads, and any of plugins. */
function sections(): Schema {
  const known = [...RUNTIME_CLAIMS].map(([name, { schema }]) => [name, schema] as const)
  const { sections: schema } = AGENT_SPEC_SCHEMA.properties
  return { ...schema, properties: Object.fromEntries(known) }
}

function withoutId<T extends { readonly required: readonly string[] }>(schema: T) {
  return { ...schema, required: schema.required.filter((key) => key !== 'id') }
}
