import { type Config, pointerOf, type ResponseFormat } from '@braidwork/plugin'
import { REASONING_EFFORTS } from '@braidwork/plugin/internal'
import { defined } from './defined.ts'
import type { Fields } from './fields.ts'

/** Reads the sampling fields that OpenAI's and Anthropic's APIs spell alike. */
export function samplingOf(fields: Fields): Pick<Config, 'temperature' | 'top_p'> {
  return defined({
    temperature: fields.number('temperature', 0, 2),
    top_p: fields.number('top_p', 0, 1),
  })
}

/** Reads a named reasoning effort. */
export function effortIn(fields: Fields, name: string): Config['reasoning_effort'] {
  return fields.oneOf(name, REASONING_EFFORTS)
}

/** Returns the place of the schema in a response format, if it has one. */
export function schemaPlaceIn(
  format: Fields | undefined,
): { readonly schemaPlace: string } | undefined {
  if (format === undefined || format.any('type') === 'text') return undefined
  const named = format.object('json_schema') ?? format
  if (named.any('schema') === undefined) return undefined
  return { schemaPlace: pointerOf([...named.path, 'schema']) }
}

/**
 * Reads the response format of OpenAI's APIs. The schema is in the format itself, or one level below. As with llama.cpp
 * and others, `json_object` may have one too.
 */
export function formatOf(format: Fields | undefined): ResponseFormat | undefined {
  const type = format?.oneOf('type', ['text', 'json_object', 'json_schema'])
  if (format === undefined) return undefined
  if (type === undefined) throw format.fault('type', 'is missing')
  if (type === 'text') return { type }
  const named = format.object('json_schema') ?? format
  const schema = named.raw('schema')
  const isAny = schema === undefined || Object.keys(schema).length === 0
  if (type === 'json_object' && isAny) return { type: 'json' }
  if (schema === undefined) throw named.fault('schema', 'is missing; give a JSON Schema')
  const name = named.text('name')
  const description = named.text('description')
  // Providers ask for a strict format wherever the schema allows it.
  named.any('strict')
  return {
    type: 'json-schema',
    schema,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
  }
}
