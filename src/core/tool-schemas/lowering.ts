import type { JsonObject } from '@braidwork/plugin'
import { sameSchema } from '../config/index.ts'
import { ANTHROPIC, AnthropicBudget, withTakenNames } from './anthropic.ts'
import { googleSchema } from './google.ts'
import type { Lost } from './lost.ts'
import { isPlainObject, type ObjectRoot, objectRoot } from './object-root.ts'
import { OPENAI_STRICT, openaiLimits } from './openai-strict.ts'
import { readTree } from './read.ts'
import { SchemaSource } from './source.ts'
import { strictSchema } from './strict-schema.ts'

/** The formats of tool schemas that model APIs accept. A provider names one with `toolSchemaFormat`. */
export const TOOL_SCHEMA_FORMATS = ['json-schema', 'openai-strict', 'anthropic', 'google'] as const
export type ToolSchemaFormat = (typeof TOOL_SCHEMA_FORMATS)[number]

/** Whether APIs of this format can force the model to follow schemas exactly (strict mode). */
export function hasStrict(format: ToolSchemaFormat): boolean {
  return format === 'openai-strict' || format === 'anthropic'
}

/** Options for converting a schema. */
export interface LoweringOptions {
  /**
   * Whether null may stand for an absent member, as OpenAI's strict mode requires. The default is true. If false, a
   * schema that would need such a null is not made strict, because no code would remove the null from the arguments.
   */
  readonly takesNulls?: boolean
}

/** A function that converts one schema after the other. */
export type Lower = (schema: JsonObject, options?: LoweringOptions) => LoweredSchema

/** A schema in a model API's format. */
export interface LoweredSchema {
  readonly input_schema: JsonObject
  /** Whether the API can force the model to follow the schema. Absent in formats without strict mode. */
  readonly strict?: boolean
  /** The parts that could not be expressed. If the schema is not strict, the reasons for that. */
  readonly lost: readonly Lost[]
}

/** A converted schema and its format. */
export interface FormattedSchema extends LoweredSchema {
  readonly format: ToolSchemaFormat
}

/**
 * Returns a function that converts the schemas of one request, because some limits hold for all tools of a request
 * together. It throws a HostError TOOL_SCHEMA_INVALID if a schema is invalid.
 */
export function lowering(format: ToolSchemaFormat): Lower {
  const budget = new AnthropicBudget()
  return (schema, { takesNulls = true } = {}) => {
    if (format === 'json-schema' && isPlainObject(schema)) return { input_schema: schema, lost: [] }
    const { lowered, plain } = keptDraft(schema, format, takesNulls)
    if (!plain) return lowered
    const excess = budget.take(lowered.input_schema)
    return excess ? { ...plain, lost: unique([...plain.lost, excess]) } : lowered
  }
}

/** A converted schema before the limits that hold for all tools of a request together. */
interface Draft {
  readonly lowered: LoweredSchema
  /** Takes the place of `lowered` where that exceeds such a limit. */
  readonly plain?: LoweredSchema
}

/** Drafts as JSON, by schema, format and options. A plugin may change what it gets, so each request gets a copy. */
const drafts = new WeakMap<JsonObject, Map<string, string>>()

function keptDraft(schema: JsonObject, format: ToolSchemaFormat, takesNulls: boolean): Draft {
  const same = sameSchema(schema)
  const known = drafts.get(same) ?? new Map<string, string>()
  const key = `${format} ${takesNulls}`
  const text = known.get(key) ?? JSON.stringify(draftOf(same, format, takesNulls))
  drafts.set(same, known.set(key, text))
  return JSON.parse(text) as Draft
}

function draftOf(schema: JsonObject, format: ToolSchemaFormat, takesNulls: boolean): Draft {
  const source = new SchemaSource(schema)
  const root = objectRoot(source)
  switch (format) {
    case 'json-schema':
      return { lowered: { input_schema: root.schema, lost: root.lost } }
    case 'openai-strict':
      return { lowered: strictOr(root, forOpenai(source, root, takesNulls), root.schema) }
    case 'anthropic':
      return forAnthropic(source, root)
    case 'google':
      return { lowered: forGoogle(source, root) }
  }
}

function forGoogle(source: SchemaSource, root: ObjectRoot): LoweredSchema {
  const lost = [...root.lost]
  const tree = readTree(source, root.schema, (one) => lost.push(one))
  const schema = googleSchema(tree, source, (one) => lost.push(one))
  return { input_schema: schema, lost: unique(lost) }
}

interface Attempt {
  readonly schema: JsonObject
  readonly lost: readonly Lost[]
  readonly faults: readonly Lost[]
}

function forOpenai(source: SchemaSource, root: ObjectRoot, takesNulls: boolean): Attempt {
  const { schema, lost, faults } = attempt(source, root, { ...OPENAI_STRICT, takesNulls })
  return { schema, lost, faults: [...faults, ...openaiLimits(schema)] }
}

function forAnthropic(source: SchemaSource, root: ObjectRoot): Draft {
  const tried = attempt(source, root, ANTHROPIC)
  const named = withTakenNames(tried.schema)
  const faults = [...tried.faults, ...named.lost]
  const own = withTakenNames(root.schema).schema
  const lowered = strictOr(root, { ...tried, faults }, own)
  return lowered.strict === true ? { lowered, plain: plainOf(root, [], own) } : { lowered }
}

function attempt(
  source: SchemaSource,
  { schema: root, lost: fromRoot }: ObjectRoot,
  rules: Parameters<typeof strictSchema>[1],
): Attempt {
  const lost: Lost[] = [...fromRoot]
  const note = (one: Lost): void => void lost.push(one)
  const tree = readTree(source, root, note)
  const isObjectRoot = tree.root.shape.kind === 'object'
  const { schema, faults } = strictSchema(tree, rules, note)
  const unfit = fromRoot.filter(({ effect }) => effect === 'wider' || !isObjectRoot)
  return { schema, lost, faults: [...unfit, ...faults] }
}

/** The strict schema. If there is none, the tool's own schema and the reasons. */
function strictOr(
  { lost: fromRoot }: ObjectRoot,
  tried: Attempt,
  plain: JsonObject,
): LoweredSchema {
  const { schema, lost, faults } = tried
  if (faults.length > 0) return plainOf({ lost: fromRoot }, faults, plain)
  return { input_schema: schema, strict: true, lost: unique(lost) }
}

/** The tool's own schema, and the reasons why it is not strict. */
function plainOf(
  { lost: fromRoot }: Pick<ObjectRoot, 'lost'>,
  faults: readonly Lost[],
  schema: JsonObject,
): LoweredSchema {
  return { input_schema: schema, strict: false, lost: unique([...fromRoot, ...faults]) }
}

function unique(lost: readonly Lost[]): readonly Lost[] {
  const byText = new Map(lost.map((one) => [JSON.stringify(one), one]))
  return [...byText.values()]
}
