import { isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import { validatorOf } from '../config/index.ts'

/** The initial values of a form. */
export interface FormData {
  readonly data: JsonObject
  /** JSON pointers of all secrets, and of those that have a value. The data never contains secrets. */
  readonly secrets: readonly string[]
  readonly secretsSet: readonly string[]
  /** JSON pointers of values that do not match the schema, with the reasons. The data does not contain them. */
  readonly refused: readonly { readonly pointer: string; readonly message: string }[]
}

/** With more faults than this in its values, a form shows only the defaults. */
const MOST_FAULTS = 50

/**
 * The effective values for an object's schema: those of the config, with secrets masked and the schema's defaults
 * filled in. Values that do not match the schema are left out.
 */
export async function formData(
  schema: JsonObject,
  masked: unknown,
  path: readonly string[],
): Promise<FormData> {
  const secrets: string[] = []
  const secretsSet: string[] = []
  const values = effective(schema, masked, { path, secrets, secretsSet }) ?? {}
  const validate = await validatorOf(schema)
  const refused: { pointer: string; message: string }[] = []
  let data: unknown = values
  for (let fault = validate(data); fault; fault = validate(data)) {
    refused.push({ pointer: `${pointerOf(path)}${fault.pointer}`, message: fault.message })
    const isHopeless = refused.length > MOST_FAULTS || fault.pointer === ''
    if (isHopeless) data = effective(schema, undefined, { path, secrets: [], secretsSet: [] }) ?? {}
    else data = without(data, keysOf(fault.pointer))
    if (isHopeless) break
  }
  return { data: data as JsonObject, secrets, secretsSet, refused }
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

/** Removes the value at a path. If the path goes through a list, the whole list, because its indexes would change. */
function without(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (!isObject(value) || key === undefined) return undefined
  const inner = rest.length === 0 ? undefined : without(value[key], rest)
  const { [key]: _, ...others } = value
  return inner === undefined ? others : { ...others, [key]: inner }
}
