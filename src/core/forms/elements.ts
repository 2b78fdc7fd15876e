import { type Diagnostic, isObject, type JsonObject, type UiElement } from '@braidwork/plugin'
import { type AnyPlugin, messageOf } from '@braidwork/plugin/internal'
import { marksOf, readableSettingsSchema, validatorOf } from '../config/index.ts'

/** An action that a person can start for a conversation, or for one message of it. */
export interface Action {
  readonly id: string
  readonly kind: 'session-action' | 'message-action'
  readonly title: string
  /** JSON Schema of the action's input. */
  readonly schema?: JsonObject
  /** The plugin whose `runAction` runs the action. */
  readonly plugin: string
}

/** The checked answer of a plugin's `getUiElements`. */
export interface Elements {
  /** The schemas of additional settings, by their keys in `settings.<plugin>`. */
  readonly settings: JsonObject
  readonly actions: readonly Action[]
  readonly diagnostics: readonly Diagnostic[]
}

export const NO_ELEMENTS: Elements = { settings: {}, actions: [], diagnostics: [] }

const KINDS = ['setting', 'session-action', 'message-action']

/** Checks the elements that a plugin returned. An invalid one is left out, with a diagnostic. */
export async function readElements(
  plugin: AnyPlugin,
  answer: readonly unknown[],
  on: ReadonlySet<string>,
): Promise<Elements> {
  const settings: Record<string, unknown> = {}
  const actions: Action[] = []
  const diagnostics: Diagnostic[] = []
  for (const [at, element] of answer.entries()) {
    const fault = await faultOf(element, { plugin, on })
    if (fault === undefined) add(element as UiElement, plugin, settings, actions)
    else diagnostics.push(invalid(plugin, `/${at}`, fault))
  }
  return { settings, actions, diagnostics }
}

function add(
  { id, kind, title, schema, action_owner: owner }: UiElement,
  plugin: AnyPlugin,
  settings: Record<string, unknown>,
  actions: Action[],
): void {
  if (kind === 'setting') settings[id] = { ...schema, title }
  else
    actions.push({ id, kind, title, ...(schema ? { schema } : {}), plugin: owner ?? plugin.name })
}

async function faultOf(
  element: unknown,
  { plugin, on }: { readonly plugin: AnyPlugin; readonly on: ReadonlySet<string> },
): Promise<string | undefined> {
  if (!isObject(element)) return 'is not an object {id, kind, title}'
  const { id, kind, title, schema, action_owner: owner } = element
  if (typeof id !== 'string' || id === '' || id === '__proto__') return 'has no "id"'
  if (!KINDS.includes(String(kind))) return `"${id}" has a "kind" other than ${KINDS.join(', ')}`
  if (typeof title !== 'string' || title === '') return `"${id}" has no "title"`
  if (schema !== undefined && !isObject(schema))
    return `"${id}" has a "schema" that is not a JSON Schema`
  if (kind === 'setting') return settingFault(plugin, id, schema)
  if (owner === undefined || owner === plugin.name) return undefined
  if (typeof owner === 'string' && on.has(owner)) return undefined
  return `"${id}" has an "action_owner" that is off: ${JSON.stringify(owner)}`
}

async function settingFault(
  plugin: AnyPlugin,
  id: string,
  schema?: JsonObject,
): Promise<string | undefined> {
  if (schema === undefined) return `"${id}" is a setting without a "schema"`
  if (marksOf(schema).length > 0 && !isNamed(plugin, id)) {
    return `"${id}" has a "schema" with "writeOnly", "x-env" or "x-destination", which only "configSchema" may have`
  }
  try {
    await validatorOf(schema)
    return undefined
  } catch (error) {
    return `"${id}" has a "schema" that is not a JSON Schema: ${messageOf(error)}`
  }
}

/** Whether the schema of a plugin names a setting. Secrets are known by this schema alone, before elements are. */
function isNamed(plugin: AnyPlugin, key: string): boolean {
  const { properties } = readableSettingsSchema(plugin) ?? {}
  return isObject(properties) && Object.hasOwn(properties, key)
}

function invalid({ kind, name }: AnyPlugin, pointer: string, fault: string): Diagnostic {
  return {
    code: 'UI_ELEMENT_INVALID',
    level: 'error',
    plugin: name,
    pointer,
    message: `An element of ${kind} "${name}" at ${pointer} ${fault}; it is left out.`,
  }
}
