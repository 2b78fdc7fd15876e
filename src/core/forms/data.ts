import { isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import { faultIn, listIn } from '../config/index.ts'

/** The initial values of a form. */
export interface FormData {
  readonly data: JsonObject
  /** The schema of the data. It requires no member whose value is left out, and has no default for a secret that is set. */
  readonly schema: JsonObject
  /** JSON pointers of all secrets, and of those that have a value. The data never contains secrets. */
  readonly secrets: readonly string[]
  readonly secretsSet: readonly string[]
  /** JSON pointers of values that do not match the schema, with the reasons. The data does not contain them. */
  readonly refused: readonly { readonly pointer: string; readonly message: string }[]
}

/** With more faults than this in its values, a form shows only the defaults. */
const MOST_FAULTS = 50

/**
 * The effective values for the schema of an object: those of the config, with secrets masked and the schema's defaults
 * filled in. Values that do not match the schema are left out.
 */
export async function formData(
  given: JsonObject,
  masked: unknown,
  path: readonly string[],
): Promise<FormData> {
  const secrets: string[] = []
  const secretsSet: string[] = []
  const refused: { pointer: string; message: string }[] = []
  let data: unknown = effective(given, masked, { path, secrets, secretsSet }) ?? {}
  let schema = secretsSet.reduce(
    (whole, pointer) => notShowing(whole, keysOf(pointer).slice(path.length)),
    given,
  )
  const find = () => faultIn(schema, data)
  for (let fault = await find(); fault; fault = await find()) {
    refused.push({ pointer: `${pointerOf(path)}${fault.pointer}`, message: fault.message })
    const isHopeless = refused.length > MOST_FAULTS || fault.pointer === ''
    if (isHopeless) data = effective(given, undefined, { path, secrets: [], secretsSet: [] }) ?? {}
    if (isHopeless) break
    data = without(data, keysOf(fault.pointer))
    schema = notRequiring(schema, keysOf(fault.pointer))
  }
  return { data: data as JsonObject, schema, secrets, secretsSet, refused }
}

interface Walk {
  readonly path: readonly string[]
  readonly secrets: string[]
  readonly secretsSet: string[]
}

function effective(schema: unknown, value: unknown, walk: Walk): unknown {
  if (!isObject(schema)) return value
  const isMasked = hasSecret(value) && !isObject(schema['properties'])
  if (schema['writeOnly'] === true || isMasked) {
    walk.secrets.push(pointerOf(walk.path))
    if (value !== undefined) walk.secretsSet.push(pointerOf(walk.path))
    return undefined
  }
  const { properties } = schema
  // A copy, because a form may change its values, and the default belongs to the plugin.
  if (!isObject(properties)) return value ?? structuredClone(schema['default'])
  const given = value ?? schema['default']
  if (given !== undefined && !isObject(given)) return given
  noteFreeSecrets(given, properties, walk)
  const entries = Object.entries(properties).map(([key, inner]) => {
    const own = given && Object.hasOwn(given, key) ? given[key] : undefined
    return [key, effective(inner, own, { ...walk, path: [...walk.path, key] })] as const
  })
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined && inner !== null))
}

/** Notes the secrets under keys that only a pattern, or `additionalProperties`, allows. */
function noteFreeSecrets(given: JsonObject | undefined, properties: JsonObject, walk: Walk): void {
  for (const [key, value] of Object.entries(given ?? {})) {
    if (Object.hasOwn(properties, key) || !hasSecret(value)) continue
    const pointer = pointerOf([...walk.path, key])
    walk.secrets.push(pointer)
    walk.secretsSet.push(pointer)
  }
}

/** Whether a value contains a masked secret at any depth. */
function hasSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasSecret)
  if (!isObject(value)) return false
  return value['$secret'] === true || Object.values(value).some(hasSecret)
}

function keysOf(pointer: string): readonly string[] {
  const keys = pointer.split('/').slice(1)
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** A schema that does not require the value at a path. The same schema if it requires no such value. */
function notRequiring(schema: JsonObject, path: readonly string[]): JsonObject {
  return changedAt(schema, path, (object, key) => {
    const { required } = object
    if (!listIn(required).includes(key)) return object
    return { ...object, required: listIn(required).filter((name) => name !== key) }
  })
}

/** A schema for a value that is set but not shown. A form would fill in a default, and return it as a change. */
function notShowing(schema: JsonObject, path: readonly string[]): JsonObject {
  return changedAt(notRequiring(schema, path), path, (object, key) => {
    const { properties } = object
    const member = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : {}
    if (!isObject(member) || member['default'] === undefined) return object
    const { default: _, ...rest } = member
    return { ...object, properties: { ...(properties as JsonObject), [key]: rest } }
  })
}

type Change = (object: JsonObject, key: string) => JsonObject

/** Changes the schema of the object that has the last key of a path. The same schema if nothing changes. */
function changedAt(
  schema: JsonObject,
  [key = '', ...rest]: readonly string[],
  change: Change,
): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const member = Object.hasOwn(properties, key) ? properties[key] : undefined
  if (rest.length === 0 || !isObject(member) || !isObject(member['properties']))
    return change(schema, key)
  const inner = changedAt(member, rest, change)
  return inner === member ? schema : { ...schema, properties: { ...properties, [key]: inner } }
}

/** Removes the value at a path. If the path goes through a list, the whole list, because its indexes would change. */
function without(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (!isObject(value) || key === undefined) return undefined
  const inner = rest.length === 0 ? undefined : without(value[key], rest)
  const { [key]: _, ...others } = value
  return inner === undefined ? others : { ...others, [key]: inner }
}
