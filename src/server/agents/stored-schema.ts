import { AGENT_SPEC_SCHEMA } from '@braidwork/agent'
import { knownIds } from '@braidwork/agent/internal'
import { sentence } from '@braidwork/core/internal'
import { isObject, type JsonObject } from '@braidwork/plugin'
import type { DeclaredAgents } from './declared-agents.ts'
import { isStorable } from './storable.ts'
import type { StoredSpecs } from './stored-specs.ts'

interface Agents {
  readonly declared: DeclaredAgents
  readonly stored: StoredSpecs
}

/**
 * The JSON Schema (2020-12) of the specs that admins may store, for forms. The `examples` of a field are the ids that
 * there are; others are valid too. Each field has a title.
 */
export async function storedSchema(agents: Agents): Promise<JsonObject> {
  const examples = await examplesOf(agents)
  const fields = Object.entries(AGENT_SPEC_SCHEMA.properties).filter(([name]) => isStorable(name))
  const properties = fields.map(([name, schema]) => [
    name,
    withExamples(schema, examples[name] ?? []),
  ])
  return withTitles({ ...AGENT_SPEC_SCHEMA, properties: Object.fromEntries(properties) })
}

async function examplesOf({
  declared,
  stored,
}: Agents): Promise<{ readonly [field: string]: readonly string[] }> {
  const { models, plugins, tools } = await knownIds(declared.runtime)
  const storedModels = (await stored.models()).map(({ name }) => name)
  const storedAgents = (await stored.agents()).map(({ id }) => id)
  return {
    model_id: [...models, ...storedModels],
    plugin_ids: plugins,
    allowed_tools: tools,
    excluded_tools: tools,
    delegates: [...declared.listed.map(({ name }) => name), ...storedAgents],
  }
}

/** A schema with examples for its texts: for those of a list, at its items. */
function withExamples(schema: JsonObject, examples: readonly string[]): JsonObject {
  if (examples.length === 0) return schema
  const { anyOf, items } = schema
  if (isObject(items)) return { ...schema, items: withExamples(items, examples) }
  if (!Array.isArray(anyOf)) return { ...schema, examples }
  const isList = (one: unknown): one is JsonObject => isObject(one) && one['type'] === 'array'
  return { ...schema, anyOf: anyOf.map((one) => (isList(one) ? withExamples(one, examples) : one)) }
}

/** A schema whose fields have titles, such as "Max rounds", also those of its fields. */
function withTitles(schema: JsonObject): JsonObject {
  const { properties, items, anyOf } = schema
  return {
    ...schema,
    ...(isObject(properties) ? { properties: titled(properties) } : {}),
    ...(isObject(items) ? { items: withTitles(items) } : {}),
    ...(Array.isArray(anyOf)
      ? { anyOf: anyOf.map((one) => (isObject(one) ? withTitles(one) : one)) }
      : {}),
  }
}

function titled(properties: JsonObject): JsonObject {
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    isObject(field) ? { title: sentence(name), ...withTitles(field) } : field,
  ])
  return Object.fromEntries(fields)
}
