import { isObject, type JsonObject } from '../../../src/plugin/events/index.ts'

// The source of each rule, where no other stands beside it:
// https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations

const KEYWORDS = (
  'type enum const anyOf $ref $defs properties required additionalProperties items minItems format title ' +
  'description'
).split(' ')
const TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null']
const FORMATS = 'date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' ')
/** What the Messages API says of an argument's name that it refuses: "Property keys should match pattern". */
const NAME = /^[a-zA-Z0-9_.-]{1,64}$/

/** What in the schema of a strict tool the Messages API refuses. */
export function anthropicFaults(root: JsonObject): readonly string[] {
  const definitions = objectOf(root['$defs'])
  const names = Object.keys(objectOf(root['properties']))
  const visit = (schema: unknown, at: string, open: readonly string[]): readonly string[] => {
    if (!isObject(schema)) return [`${at}: no object`]
    const { $ref: reference, properties, anyOf = [], items } = schema
    const name = String(reference).replace('#/$defs/', '')
    const members = Object.entries(objectOf(properties))
    const named = () => {
      if (!Object.hasOwn(definitions, name)) return [`${at}: names nothing`]
      // Not supported: "Recursive schemas".
      return open.includes(name)
        ? [`${at}: recursive`]
        : visit(definitions[name], name, [...open, name])
    }
    return [
      ...nodeFaults(schema).map((fault) => `${at}: ${fault}`),
      ...members.flatMap(([key, inner]) => visit(inner, `${at}/properties/${key}`, open)),
      ...(anyOf as unknown[]).flatMap((inner) => visit(inner, `${at}/anyOf`, open)),
      ...(items === undefined ? [] : visit(items, `${at}/items`, open)),
      ...(reference === undefined ? [] : named()),
    ]
  }
  return [
    ...(root['type'] === 'object' ? [] : ['the root is no object']),
    ...names.filter((name) => !NAME.test(name)).map((name) => `name ${name}`),
    ...visit(root, '', []),
  ]
}

function nodeFaults(schema: JsonObject): readonly string[] {
  const { type = 'object', format = 'date', minItems = 0, enum: values = [] } = schema
  const rules: readonly [boolean, string][] = [
    [Object.keys(schema).every((key) => KEYWORDS.includes(key)), Object.keys(schema).join()],
    [TYPES.includes(String(type)), `type ${String(type)}`],
    [FORMATS.includes(String(format)), `format ${String(format)}`],
    // "Array constraints beyond minItems of 0 or 1."
    [minItems === 0 || minItems === 1, 'minItems'],
    // "enum (strings, numbers, bools, or nulls only - no complex types)"
    [(values as unknown[]).every((one) => typeof one !== 'object' || one === null), 'enum'],
    // "additionalProperties must be set to false for objects."
    [schema['type'] !== 'object' || schema['additionalProperties'] === false, 'open'],
  ]
  return rules.flatMap(([holds, fault]) => (holds ? [] : [fault]))
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}
