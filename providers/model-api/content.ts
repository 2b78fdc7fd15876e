import type { FilePart, Part, ToolSchema } from 'braidwork/plugin'
import { isObject, type JsonObject, objectsIn, textIn, without } from './json.ts'
import type { Profile } from './profile.ts'
import { isStrict } from './strict.ts'

/** A provider's own facts of a part, as it gave them; nothing where the part is another's, or another server's. */
export function factsOf(part: Part, { name, server }: Profile): JsonObject | undefined {
  const facts = part.providerMetadata?.[name]
  return isObject(facts) && facts['server'] === server ? facts : undefined
}

/** Facts that `factsOf` reads, as `providerMetadata`. */
export function ownFacts(facts: JsonObject, { name, server }: Profile): JsonObject {
  return { [name]: server === undefined ? facts : { server, ...facts } }
}

/** Where a file is: its address, or its bytes in one. */
export function addressOf({ url, data, mediaType }: FilePart): string {
  return url ?? `data:${mediaType};base64,${data ?? ''}`
}

/** A call that another provider ran, and its result, as the text that this one is told. */
export function foreignText(part: Part): string | undefined {
  if (part.type === 'tool-call') return `[${part.name} was called with ${textOfOutput(part.input)}]`
  if (part.type === 'tool-result') return `[${part.name} answered ${textOfOutput(part.output)}]`
  return undefined
}

/** A tool's output as text: a text as it is, anything else as JSON. */
export function textOfOutput(output: unknown): string {
  if (isPartList(output)) return output.map(textOfPart).join('\n')
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
}

/** The part of a tool's output that is meant for one provider alone. */
export function nativeOf(output: unknown, { name }: Profile): { own?: unknown; output: unknown } {
  if (!isObject(output) || !isObject(output['native'])) return { output }
  const own = output['native'][name]
  return own === undefined ? { output: output['output'] } : { own, output: output['output'] }
}

export function isPartList(value: unknown): value is readonly Part[] {
  return Array.isArray(value) && value.length > 0 && value.every(isPart)
}

function isPart(value: unknown): boolean {
  if (!isObject(value)) return false
  if (value['type'] === 'text') return typeof value['text'] === 'string'
  return value['type'] === 'file' && typeof value['mediaType'] === 'string'
}

function textOfPart(part: Part): string {
  if (part.type === 'text') return part.text
  return part.type === 'file' ? `[file ${part.name ?? part.mediaType}]` : ''
}

/** Keywords that no API takes at the top of a tool's schema. */
const BRANCHES = ['anyOf', 'oneOf', 'allOf'] as const

/**
 * A tool's schema as APIs take it: an object. One with branches at its top becomes the object that has the
 * members of all of them; its description says which go together, and the host still holds calls to the
 * schema itself.
 */
export function objectSchema(schema: JsonObject): JsonObject {
  const key = BRANCHES.find((branch) => Array.isArray(schema[branch]))
  if (key === undefined) return schema['type'] === 'object' ? schema : { ...schema, type: 'object' }
  const { properties, required } = membersOf(schema)
  const said = `${key === 'allOf' ? 'All' : 'One'} of: ${JSON.stringify(schema[key])}`
  return {
    ...without(schema, ...BRANCHES),
    type: 'object',
    description: joined([textIn(schema['description']), said]),
    properties,
    required: [...required],
  }
}

interface Members {
  readonly properties: JsonObject
  readonly required: ReadonlySet<unknown>
}

/** The members of a schema and of its branches, and those of them that are always there. */
function membersOf(schema: JsonObject): Members {
  const key = BRANCHES.find((branch) => Array.isArray(schema[branch]))
  const own = Array.isArray(schema['required']) ? schema['required'] : []
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  if (key === undefined) return { properties, required: new Set(own) }
  const branches = objectsIn(schema[key]).map(membersOf)
  const all: Record<string, unknown> = { ...properties }
  for (const branch of branches) Object.assign(all, branch.properties)
  const needed = branches.map(({ required }) => [...required])
  const counts = new Map<unknown, number>()
  for (const name of needed.flat()) counts.set(name, (counts.get(name) ?? 0) + 1)
  const isNeeded = (name: unknown) => key === 'allOf' || counts.get(name) === branches.length
  return { properties: all, required: new Set([...own, ...needed.flat().filter(isNeeded)]) }
}

/** A function as both APIs know it. */
export function functionOf(tool: ToolSchema, strict: boolean | undefined): JsonObject {
  const { name, description, input_schema: schema } = tool
  const parameters = objectSchema(schema)
  return {
    name,
    ...(description ? { description } : {}),
    parameters,
    strict: strict ?? (parameters === schema && isStrict(schema)),
  }
}

/** A text that several parts make. */
export function joined(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n')
}
