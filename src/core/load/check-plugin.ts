import {
  type Diagnostic,
  HOOKS,
  type HookName,
  KINDS,
  type Kind,
  VALUES,
  type ValueName,
} from '@braidwork/plugin'
import { type AnyPlugin, messageOf, type PluginValue } from '@braidwork/plugin/internal'
import { hasHook } from '../hooks/index.ts'
import { didYouMean } from '../suggest.ts'
import { formatFault } from '../tool-schemas/index.ts'
import { type MissingNames, meantBy } from './misspelled.ts'

export interface CheckedPlugin {
  /** Absent if the plugin cannot be used. */
  readonly plugin?: AnyPlugin
  readonly diagnostics: readonly Diagnostic[]
}

const NAME = /^[a-z0-9][a-z0-9._-]*$/i

/** Checks a value that was registered as a plugin, when it is loaded. Never throws. */
export function checkPlugin(value: unknown, from = 'the list of plugins'): CheckedPlugin {
  try {
    return check(value, from)
  } catch (error) {
    return {
      diagnostics: [invalid(undefined, `A plugin of ${from} cannot be read: ${messageOf(error)}.`)],
    }
  }
}

function check(value: unknown, from: string): CheckedPlugin {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) {
    const what = value === null ? 'null' : `a value of type ${typeof value}`
    return refuse(
      undefined,
      `${what} in ${from} is not a plugin; a plugin is an object with "kind" and "name".`,
    )
  }
  const wrapped = wrapperFault(value)
  if (wrapped !== undefined)
    return refuse(undefined, `${wrapped[0]} in ${from} is not a plugin; ${wrapped[1]}.`)
  const plugin = value as AnyPlugin
  const { name, kind } = plugin
  if (typeof value === 'function' && !KINDS.includes(kind)) {
    return refuse(
      undefined,
      `A function in ${from} is not a plugin; give the object that it returns, with "kind" and "name".`,
    )
  }
  if (typeof name !== 'string' || !NAME.test(name)) {
    return refuse(
      undefined,
      `A plugin of ${from} has no usable "name"; names are letters, digits, ".", "_" and "-".`,
    )
  }
  if (!KINDS.includes(kind)) {
    const hint = didYouMean(String(kind), KINDS)
    return refuse(
      name,
      `Plugin "${name}" has the kind ${JSON.stringify(kind)}; kinds are ${KINDS.join(', ')}.${hint}`,
    )
  }
  const faults = memberFaults(plugin)
  const notes = foreignHooks(plugin)
  return faults.length > 0 ? { diagnostics: [...faults, ...notes] } : { plugin, diagnostics: notes }
}

/** What a value is that has a plugin in it, and what to do. Undefined for all others. */
function wrapperFault(value: object): readonly [string, string] | undefined {
  if (Array.isArray(value)) return ['A list', 'give its plugins one by one, such as "...list"']
  if (value instanceof Promise) {
    return ['A promise', 'write "await" before it, and ".default" behind it if it imports a module']
  }
  if ('kind' in value || !('default' in value)) return undefined
  const hint = 'give its default export: "module.default", or "import plugin from" the module'
  return typeof value.default === 'object' ? ['A module', hint] : undefined
}

function memberFaults(plugin: AnyPlugin): Diagnostic[] {
  const faults = membersOf(plugin).flatMap((member) => memberFault(plugin, member) ?? [])
  if (plugin.kind === 'provider' && !hasHook(plugin, 'call') && !hasHook(plugin, 'stream')) {
    faults.push('has neither "call" nor "stream"; a provider needs one of them')
  }
  return faults.map((fault) => {
    const end = fault.endsWith('?') ? '' : '.'
    return invalid(plugin.name, `${plugin.kind} "${plugin.name}" ${fault}${end}`)
  })
}

function memberFault(plugin: AnyPlugin, member: string): string | undefined {
  const value = plugin[member]
  if (isHookName(member)) {
    if (value === undefined || typeof value === 'function') return undefined
    return `has a hook "${member}" that is not a function; make it one or remove it`
  }
  if (isValueName(member)) return valueFault(member, value)
  const sort = typeof value === 'function' ? 'function' : Array.isArray(value) ? 'list' : 'value'
  const meant = meantBy(member, sort, missingNames(plugin))
  if (meant === undefined) return undefined
  const what = sort === 'function' ? 'no hook' : 'a member'
  return `has ${what} "${member}". Did you mean "${meant}"?`
}

function missingNames(plugin: AnyPlugin): MissingNames {
  const missing = (table: { readonly [name: string]: { readonly kinds: readonly Kind[] } }) =>
    Object.keys(table).filter(
      (name) => table[name]?.kinds.includes(plugin.kind) && plugin[name] === undefined,
    )
  const values = missing(VALUES) as ValueName[]
  return {
    hooks: missing(HOOKS),
    values,
    lists: values.filter((name) => VALUES[name].type === 'strings'),
  }
}

const VALUE_CHECKS: { readonly [T in PluginValue['type']]: (value: unknown) => boolean } = {
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  strings: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

function valueFault(name: ValueName, value: unknown): string | undefined {
  if (value === undefined || typeof value === 'function') return undefined
  const { type } = VALUES[name]
  if (name === 'toolSchemaFormat') {
    const fault = formatFault(value)
    return fault && `has a "toolSchemaFormat" that ${fault}`
  }
  if (VALUE_CHECKS[type](value)) return undefined
  const expected = type === 'strings' ? 'an array of strings' : `of type ${type}`
  return `has a "${name}" that is not ${expected}`
}

/** The kinds of plugins that have a member. */
const KINDS_OF = new Map<string, readonly Kind[]>(
  Object.entries({ ...HOOKS, ...VALUES }).map(([member, { kinds }]) => [member, kinds]),
)

/** Warns of hooks that plugins of this kind do not have: the host never calls them. */
function foreignHooks(plugin: AnyPlugin): Diagnostic[] {
  const isForeign = (member: string) => KINDS_OF.get(member)?.includes(plugin.kind) === false
  const foreign = membersOf(plugin).filter(
    (member) => isForeign(member) && plugin[member] !== undefined,
  )
  return foreign.map((member) => ({
    code: 'HOOK_IGNORED',
    level: 'warning',
    plugin: plugin.name,
    message: `"${member}" of ${plugin.kind} "${plugin.name}" never runs: ${plugin.kind === 'extension' ? 'an' : 'a'} ${plugin.kind} has no such hook.`,
  }))
}

/** The names of a plugin's own members and of those that it inherits from classes. */
function membersOf(plugin: object): string[] {
  const members = new Set<string>()
  for (let at: unknown = plugin; isMemberSource(at); at = Object.getPrototypeOf(at)) {
    for (const member of Object.getOwnPropertyNames(at)) members.add(member)
  }
  members.delete('constructor')
  return [...members]
}

function isMemberSource(value: unknown): value is object {
  return value !== null && value !== Object.prototype && value !== Function.prototype
}

function isHookName(member: string): member is HookName {
  return Object.hasOwn(HOOKS, member)
}

function isValueName(member: string): member is ValueName {
  return Object.hasOwn(VALUES, member)
}

function refuse(plugin: string | undefined, message: string): CheckedPlugin {
  return { diagnostics: [invalid(plugin, message)] }
}

function invalid(plugin: string | undefined, message: string): Diagnostic {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return {
    code: 'PLUGIN_INVALID',
    level: 'error',
    message: text,
    ...(plugin === undefined ? {} : { plugin }),
  }
}
