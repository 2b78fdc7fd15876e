import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '@braidwork/plugin'
import { choicesOf } from '../choices.ts'
import type { SettingsDocument } from '../settings-document.ts'
import { type Flat, flat, namesOf } from './flat.ts'
import { type ModelField, modelSource, pythonValue } from './python-model.ts'
import {
  fitting,
  type LeftOut,
  picked,
  type ShownField,
  shownFields,
  type Unfit,
} from './shown-fields.ts'

/** The valves (settings) of an Open WebUI function: a pydantic model, from whose schema Open WebUI makes its form. */
export interface ValvesView extends Flat {
  /** The model as Python code, for the source of a function. */
  readonly source: string
  /** The model's JSON Schema, as `/api/v1/functions/id/{id}/valves/spec` returns it. */
  readonly spec: JsonObject
  /** The values that differ from the defaults, as `/api/v1/functions/id/{id}/valves` returns them. */
  readonly values: JsonObject
  readonly left: readonly LeftOut[]
}

/** Converts to valves. Each one is optional, because a function is loaded before a person fills in its valves. */
export function valvesView(document: SettingsDocument, plugin?: string): ValvesView {
  const { fit, left } = fitting(shownFields(document, plugin), toValve)
  const names = namesOf(fit.map(({ field }) => field))
  const named = fit.map(({ field, made }, at) => {
    const isDefault = isDeepStrictEqual(field.value, field.schema['default'])
    return { field, made, name: names[at] ?? '', value: isDefault ? undefined : field.value }
  })
  const models = named.map(({ name, made }) => ({ ...made, name }))
  const properties = Object.fromEntries(named.map(({ name, made }) => [name, made.schema]))
  return {
    source: modelSource('Valves', models),
    spec: { title: 'Valves', type: 'object', properties },
    ...flat(named),
    left,
  }
}

/** The answer without the defaults of fields that have no initial value: the form shows them, and returns them. */
export function withoutShownDefaults(
  { values }: Flat,
  { properties }: JsonObject,
  answer: JsonObject,
): JsonObject {
  const fields = isObject(properties) ? properties : {}
  const given = Object.entries(answer).filter(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const isDefault = isObject(field) && isDeepStrictEqual(value, field['default'])
    return Object.hasOwn(values, name) || !isDefault
  })
  return Object.fromEntries(given)
}

type Valve = Omit<ModelField, 'name'>

function toValve(field: ShownField): Valve | Unfit {
  const { schema, titles, control } = field
  if (control.options?.readonly) return { unfit: 'it cannot be changed' }
  const own = typeOf(field)
  if ('unfit' in own) return own
  const description = descriptionOf(field)
  const words = {
    title: wellFormed(titles.join(': ')),
    ...(description === '' ? {} : { description }),
    default: schema['default'] ?? null,
    ...(control.options?.format ? { input: { type: 'password' } } : {}),
  }
  return { type: own.type, schema: { ...own.schema, ...words } }
}

function typeOf({ kind, schema, value }: ShownField): Valve | Unfit {
  switch (kind) {
    case 'choice':
      return literal(choicesOf(schema)?.map((choice) => choice.value) ?? [])
    case 'text':
      return {
        type: 'str',
        schema: { type: 'string', ...picked(schema, ['minLength', 'maxLength']) },
      }
    case 'switch':
      return { type: 'bool', schema: { type: 'boolean' } }
    case 'number': {
      const { type } = schema
      const own = { type, ...picked(schema, BOUNDS) }
      return { type: type === 'integer' ? 'int' : 'float', schema: own }
    }
    default:
      return listOf(schema, value)
  }
}

const BOUNDS = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf']

function literal(values: readonly unknown[]): Valve {
  const [only] = values
  const own = values.length === 1 ? { const: only } : { enum: values }
  const type = `Literal[${values.map(pythonValue).join(', ')}]`
  return { type, schema: { type: 'string', ...own } }
}

/** Open WebUI shows a list as one text and splits it at commas. */
function listOf(schema: JsonObject, value: unknown): Valve | Unfit {
  const items = schema['items'] as JsonObject
  const present = [value ?? [], schema['default'] ?? [], itemChoices(schema)].flat()
  if (items['type'] !== 'string' || !present.every(isOnePiece))
    return { unfit: 'a list that a comma-separated text cannot represent' }
  return { type: 'list[str]', schema: { type: 'array', items: { type: 'string' } } }
}

function isOnePiece(item: unknown): boolean {
  return typeof item === 'string' && item === item.trim() && item !== '' && !item.includes(',')
}

function itemChoices({ items }: JsonObject): readonly unknown[] {
  return choicesOf((items ?? {}) as JsonObject)?.map((choice) => choice.value) ?? []
}

/** The description, with the possible values of a list, which Open WebUI's form would not show. */
function descriptionOf({ kind, schema }: ShownField): string {
  const { description } = schema
  const own = typeof description === 'string' ? [description] : []
  const choices = kind === 'choices' ? [`(${itemChoices(schema).join(', ')})`] : []
  return wellFormed([...own, ...choices].join(' '))
}

/** Replaces unpaired surrogates, which Python cannot encode. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD')
}
