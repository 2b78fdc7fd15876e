import { isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import { plainChoices } from './choices.ts'
import { kindOf } from './kinds.ts'
import { controlFor, type Element, groupFor, type Rule } from './layout.ts'
import { scopeOf } from './scope.ts'
import { branchFor, unionOf } from './union.ts'

/** Why a setting has no field in a form. */
export type Unshown = 'map' | 'any' | 'union' | 'list' | 'name' | 'recursion' | 'tuple' | 'secret'

/** The fields for an object's schema and its present value. */
export interface Fields {
  /** The schema for what the form shows: of each choice the branch that holds now. */
  readonly schema: JsonObject
  readonly elements: readonly Element[]
  /** JSON pointers into the config of what the schema has and no form can show. */
  readonly unshown: readonly { readonly pointer: string; readonly reason: Unshown }[]
}

/** Where an object stands, and how its present value is read. */
export interface FieldPlace {
  /** Keys from the config's top. */
  readonly path: readonly string[]
  /** Pointers into the schema that are left out, as `plainSchema` says them. */
  readonly left: ReadonlyMap<string, Unshown>
  /** Keys from the top of the plugin's schema. */
  readonly schemaPath: readonly string[]
  readonly valueAt: ValueAt
  /** Fields of the same plugin that were made before. */
  readonly made?: MadeFields
}

/**
 * What was made of the nodes of a plain schema, which stay the same objects: without a look at the values it
 * holds for good, else while its parts are the same.
 */
export class MadeFields {
  /** How often values were looked at. */
  looks = 0
  readonly single = new WeakMap<JsonObject, Fields>()
  readonly objects = new WeakMap<JsonObject, Fields>()
  readonly conditional = new WeakMap<JsonObject, Conditional>()
  readonly #whole = new WeakMap<JsonObject, { parts: readonly unknown[]; fields: Fields }>()

  whole(node: JsonObject, parts: readonly unknown[], make: () => Fields): Fields {
    const known = this.#whole.get(node)
    const isSame =
      known?.parts.length === parts.length && parts.every((part, at) => part === known.parts[at])
    if (isSame) return known.fields
    const fields = make()
    this.#whole.set(node, { parts, fields })
    return fields
  }
}

/** The present value at keys from the config's top. */
export type ValueAt = (path: readonly string[]) => unknown

/** The fields of an object's schema, in order. */
export function fieldsOf(given: JsonObject, place: FieldPlace): Fields {
  const { made = new MadeFields() } = place
  const chosen = branchAt(given, { ...place, made })
  const known = made.objects.get(chosen)
  if (known) return known
  const before = made.looks
  const fields = objectFields(chosen, { ...place, made })
  if (made.looks === before) made.objects.set(chosen, fields)
  return fields
}

function objectFields(chosen: JsonObject, place: MadePlace): Fields {
  const { made } = place
  const { properties, rules } = made.conditional.get(chosen) ?? withConditional(chosen, place)
  made.conditional.set(chosen, { properties, rules })
  const names = Object.keys(properties)
  const fields = names.map((name) => {
    const schema = properties[name] as JsonObject
    const known = unionOf(schema) ? undefined : made.single.get(schema)
    return known ?? fieldOf(schema, below(place, name), rules.get(name))
  })
  const shown = names.map((name, at) => [name, fields[at]?.schema ?? {}] as const)
  const needed = requiredOf(chosen['required'], shown, place)
  return made.whole(chosen, [...fields, ...needed], () => ({
    schema: shownObject(chosen, shown, needed),
    elements: fields.flatMap(({ elements }) => elements),
    unshown: fields.flatMap(({ unshown }) => unshown),
  }))
}

function shownObject(
  schema: JsonObject,
  shown: readonly (readonly [string, JsonObject])[],
  needed: readonly string[],
): JsonObject {
  const { if: _, then: __, else: ___, allOf: ____, required: _____, ...rest } = schema
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(shown),
    ...(needed.length > 0 ? { required: needed } : {}),
  }
}

interface MadePlace extends FieldPlace {
  readonly made: MadeFields
}

function fieldOf(given: JsonObject, place: MadePlace, rule: Rule | undefined): Fields {
  const chosen = branchAt(given, place)
  const known = place.made.single.get(chosen)
  if (known) return known
  const schema = plainChoices(chosen)
  const why = place.left.get(pointerOf(place.schemaPath)) ?? whyNoField(schema, place)
  if (why === undefined && kindOf(schema) === 'object') return groupOf(schema, place, rule)
  const field =
    why === undefined
      ? { schema, elements: [controlFor(schema, place.path, rule)], unshown: [] }
      : { schema, elements: [], unshown: [{ pointer: pointerOf(place.path), reason: why }] }
  place.made.single.set(chosen, field)
  return field
}

function groupOf(schema: JsonObject, place: MadePlace, rule: Rule | undefined): Fields {
  const { made } = place
  const before = made.looks
  const inner = fieldsOf(schema, place)
  const known = made.single.get(inner.schema)
  if (known) return known
  const group = groupFor({ schema, path: place.path, elements: inner.elements, rule })
  const field = { ...inner, elements: inner.elements.length > 0 ? [group] : [] }
  made.single.set(made.looks === before ? schema : inner.schema, field)
  return field
}

/** Data paths of JSON Forms are joined by dots: a name with one cannot be reached. */
function whyNoField(schema: JsonObject, { path }: FieldPlace): Unshown | undefined {
  if (path.at(-1)?.includes('.')) return 'name'
  const kind = kindOf(schema)
  if (kind === 'choice' && schema['type'] !== 'string') return 'union'
  // Renderers have one field that shows nothing of what is typed: a text's.
  if (schema['writeOnly'] === true && kind !== 'text') return 'secret'
  return kind === 'map' || kind === 'any' || kind === 'union' || kind === 'list' ? kind : undefined
}

/** Of a choice, the branch that the present value takes; the value is read only where there is one. */
function branchAt(schema: JsonObject, place: MadePlace): JsonObject {
  const union = unionOf(schema)
  return union ? branchFor(union, look(place, place.path)) : schema
}

function look({ made, valueAt }: MadePlace, path: readonly string[]): unknown {
  made.looks++
  return valueAt(path)
}

function below(place: MadePlace, name: string): MadePlace {
  return {
    ...place,
    path: [...place.path, name],
    schemaPath: [...place.schemaPath, 'properties', name],
  }
}

interface Conditional {
  readonly properties: JsonObject
  readonly rules: ReadonlyMap<string, Rule>
}

/** Properties that only stand in a branch of an `if`: they are shown while that branch holds. */
function withConditional(schema: JsonObject, { path }: FieldPlace): Conditional {
  const own = isObject(schema['properties']) ? schema['properties'] : {}
  const added: Record<string, unknown> = {}
  const rules = new Map<string, Rule>()
  const parts = [
    schema,
    ...(Array.isArray(schema['allOf']) ? (schema['allOf'] as JsonObject[]) : []),
  ]
  for (const part of parts) {
    for (const [branch, condition] of branchesOf(part)) {
      for (const [name, inner] of Object.entries(branch)) {
        if (name in own || name in added) continue
        added[name] = inner
        rules.set(name, { effect: 'SHOW', condition: { scope: scopeOf(path), schema: condition } })
      }
    }
  }
  return { properties: { ...own, ...added }, rules }
}

function branchesOf(part: JsonObject): readonly (readonly [JsonObject, JsonObject])[] {
  const { if: condition, then: yes, else: no } = part
  if (!isObject(condition)) return []
  const branches = [
    [yes, condition],
    [no, { not: condition }],
  ] as const
  return branches.flatMap(([branch, when]) =>
    isObject(branch) && isObject(branch['properties'])
      ? [[branch['properties'], when] as const]
      : [],
  )
}

/** What must be there, and is: what is missing is a diagnostic, and a secret is never shown again. */
function requiredOf(
  required: unknown,
  shown: readonly (readonly [string, JsonObject])[],
  place: MadePlace,
): readonly string[] {
  if (!Array.isArray(required)) return []
  return shown.flatMap(([name, schema]) => {
    if (!required.includes(name) || schema['writeOnly'] === true) return []
    const isThere =
      schema['default'] !== undefined || look(place, [...place.path, name]) !== undefined
    return isThere || kindOf(schema) === 'object' ? [name] : []
  })
}
