import { isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import { plainChoices } from './choices.ts'
import { kindOf } from './kinds.ts'
import { controlFor, type Element, groupFor, type LayoutRule } from './layout.ts'
import type { Left } from './plain-schema.ts'
import { scopeOf } from './scope.ts'
import { branchFor, isNullable, unionOf, withoutDefault } from './union.ts'

/** The reason why a setting has no field in a form. */
export type Unshown = 'map' | 'any' | 'union' | 'list' | 'name' | 'secret' | Left

/** The fields for an object's schema, for its current value. */
export interface FormFields {
  /** The schema of the shown fields. For each union, it contains the branch that matches the current value. */
  readonly schema: JsonObject
  readonly elements: readonly Element[]
  /** JSON pointers into the config of settings that no form can show, with the reasons. */
  readonly unshown: readonly { readonly pointer: string; readonly reason: Unshown }[]
}

/** The place of an object, and access to its current value. */
export interface FieldPlace {
  /** The keys from the root of the config. */
  readonly path: readonly string[]
  /** Pointers to parts of the schema that `plainSchema` left out, with the reasons. */
  readonly left: ReadonlyMap<string, Unshown>
  /** The keys from the root of the plugin's schema. */
  readonly schemaPath: readonly string[]
  readonly valueAt: ValueAt
  /** The fields made for the same plugin before. */
  readonly made?: MadeFields
}

/**
 * A cache of the fields made for the nodes of a plain schema. Fields that were made without reading a value stay valid.
 * Others stay valid as long as the fields inside them are the same.
 */
export class MadeFields {
  /** How often a value was read. */
  looks = 0
  readonly single = new WeakMap<JsonObject, FormFields>()
  readonly objects = new WeakMap<JsonObject, FormFields>()
  readonly conditional = new WeakMap<JsonObject, Conditional>()
  readonly #whole = new WeakMap<JsonObject, { parts: readonly unknown[]; fields: FormFields }>()

  whole(node: JsonObject, parts: readonly unknown[], make: () => FormFields): FormFields {
    const known = this.#whole.get(node)
    const isSame =
      known?.parts.length === parts.length && parts.every((part, at) => part === known.parts[at])
    if (isSame) return known.fields
    const fields = make()
    this.#whole.set(node, { parts, fields })
    return fields
  }
}

/** Returns the current value at a path from the root of the config. */
export type ValueAt = (path: readonly string[]) => unknown

/** The fields of an object's schema, in order. */
export function fieldsOf(given: JsonObject, place: FieldPlace): FormFields {
  const { made = new MadeFields() } = place
  const chosen = branchAt(given, { ...place, made })
  const known = made.objects.get(chosen)
  if (known) return known
  const before = made.looks
  const fields = objectFields(chosen, { ...place, made })
  if (made.looks === before) made.objects.set(chosen, fields)
  return fields
}

function objectFields(chosen: JsonObject, place: MadePlace): FormFields {
  const { made } = place
  const { properties, rules } = made.conditional.get(chosen) ?? withConditional(chosen, place)
  made.conditional.set(chosen, { properties, rules })
  const names = Object.keys(properties)
  const fields = names.map((name) => {
    const schema = properties[name] as JsonObject
    const known = unionOf(schema) || isNullable(schema) ? undefined : made.single.get(schema)
    return known ?? fieldOf(schema, below(place, name), rules.get(name))
  })
  const shown = names.map((name, at) => [name, fields[at]?.schema ?? {}] as const)
  const needed = requiredOf(chosen['required'], shown, place)
  const free = freeKeys(chosen, properties, place)
  return made.whole(chosen, [...fields, ...needed, '', ...free], () => ({
    schema: shownObject(chosen, shown, needed),
    elements: fields.flatMap(({ elements }) => elements),
    unshown: [
      ...fields.flatMap(({ unshown }) => unshown),
      ...free.map((name) => ({
        pointer: pointerOf([...place.path, name]),
        reason: 'map' as const,
      })),
    ],
  }))
}

/** The keys of the current value that only a pattern, or `additionalProperties`, allows. */
function freeKeys(
  { patternProperties, additionalProperties }: JsonObject,
  properties: JsonObject,
  place: MadePlace,
): readonly string[] {
  if (!isObject(patternProperties) && !isObject(additionalProperties)) return []
  const value = look(place, place.path)
  return isObject(value) ? Object.keys(value).filter((key) => !Object.hasOwn(properties, key)) : []
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

function fieldOf(given: JsonObject, place: MadePlace, rule: LayoutRule | undefined): FormFields {
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

function groupOf(schema: JsonObject, place: MadePlace, rule: LayoutRule | undefined): FormFields {
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

/** The reason why a schema gets no field. JSON Forms joins paths with dots, so it cannot reach a name with a dot. */
function whyNoField(schema: JsonObject, { path }: FieldPlace): Unshown | undefined {
  if (path.at(-1)?.includes('.')) return 'name'
  const kind = kindOf(schema)
  if (kind === 'choice' && schema['type'] !== 'string') return 'union'
  // Only text fields can hide their input, so a secret of any other kind gets no field.
  if (schema['writeOnly'] === true && kind !== 'text') return 'secret'
  return kind === 'map' || kind === 'any' || kind === 'union' || kind === 'list' ? kind : undefined
}

/**
 * For a union, the branch that matches the current value. A setting that is null has no default, because a form would
 * show it as the value. The value is read only for these.
 */
function branchAt(schema: JsonObject, place: MadePlace): JsonObject {
  const union = unionOf(schema)
  const chosen = union ? branchFor(union, look(place, place.path)) : schema
  const mayBeNull = chosen['default'] !== undefined && isNullable(schema)
  return mayBeNull && look(place, place.path) === null ? withoutDefault(chosen) : chosen
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
  readonly rules: ReadonlyMap<string, LayoutRule>
}

/** Adds the properties that stand only in a branch of an `if`. They are shown while the condition is true. */
function withConditional(schema: JsonObject, { path }: FieldPlace): Conditional {
  const own = isObject(schema['properties']) ? schema['properties'] : {}
  const added: Record<string, unknown> = {}
  const rules = new Map<string, LayoutRule>()
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

/**
 * The required members that the form shows and that have a value. It omits a missing member, which causes a
 * diagnostic, and a secret, which is never shown again.
 */
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
