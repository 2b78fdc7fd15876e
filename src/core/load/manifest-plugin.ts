import { existsSync, statSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import {
  HostError,
  isObject,
  type JsonObject,
  KINDS,
  type Kind,
  type ToolSafety,
} from '@braidwork/plugin'

/** A plugin in a package's manifest. Reading it runs no code. */
export interface ManifestPlugin {
  readonly kind: Kind
  readonly name: string
  /** The absolute path of the module that exports the plugin: by default, or in Python as `plugin`. */
  readonly entry: string
  readonly title?: string
  readonly description?: string
  /** Title and description in other languages, by their tags. */
  readonly 'x-i18n'?: JsonObject
  readonly providers?: readonly string[]
  readonly tags?: readonly string[]
  /** False if the plugin is off until a config names it. Until then its code need not run. */
  readonly defaultEnabled?: boolean
  /** The names of its hooks, as its author states them. */
  readonly hooks?: readonly string[]
  /** The tools that it offers, as its author states them. A plugin whose settings decide that states none. */
  readonly tools?: readonly ManifestTool[]
  /** The environment variables that it reads, as its author states them. */
  readonly variables?: readonly string[]
  /** The hosts that it reaches over the network, as its author states them; `*` for any. */
  readonly network?: readonly string[]
}

/** A tool in a manifest. */
export interface ManifestTool {
  readonly name: string
  readonly safety?: ToolSafety
}

/** Where a plugin stands in a manifest. */
export interface Place {
  readonly file: string
  readonly folder: string
  readonly pointer: string
}

const NAME = /^[a-z0-9][a-z0-9._-]*$/i

/** Checks a plugin of a manifest. @throws {HostError} MANIFEST_INVALID */
export function checkPlugin(value: unknown, place: Place): ManifestPlugin {
  const { folder, pointer } = place
  const fail = (key: string, reason: string) =>
    invalid({ ...place, pointer: `${pointer}${key}` }, reason)
  if (!isObject(value)) throw fail('', 'a plugin must be an object {kind, name, entry}')
  const { kind, name, entry } = value
  if (!KINDS.some((known) => known === kind)) throw fail('/kind', `kinds are ${KINDS.join(', ')}`)
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw fail('/name', 'a name consists of letters, digits, ".", "_" and "-"')
  }
  if (typeof entry !== 'string') throw fail('/entry', 'it is not a path')
  const fault = optionalFault(value)
  if (fault) throw fail(fault.key, fault.reason)
  const path = join(folder, entry)
  const reason = entryFault(path, entry, folder)
  if (reason !== undefined) throw fail('/entry', reason)
  return { ...value, kind: kind as Kind, name, entry: path }
}

/** The fault in the path of a module. The module must exist, and must be inside the package. */
function entryFault(path: string, entry: string, folder: string): string | undefined {
  if (isAbsolute(entry) || relative(folder, path).startsWith('..')) {
    return `"${entry}" is outside the package`
  }
  if (!existsSync(path))
    return `there is no file "${entry}"; build the package first if it needs a build`
  return statSync(path).isFile() ? undefined : `"${entry}" is not a file`
}

function optionalFault(value: JsonObject): { key: string; reason: string } | undefined {
  const texts = ['title', 'description'].find((key) => !isTextOrAbsent(value[key]))
  if (texts) return { key: `/${texts}`, reason: 'it is not a string' }
  if (!areWordsOrAbsent(value['x-i18n'])) {
    return { key: '/x-i18n', reason: 'it is not an object {<language>: {title?, description?}}' }
  }
  const lists = TEXT_LISTS.find((key) => !isTextsOrAbsent(value[key]))
  if (lists) return { key: `/${lists}`, reason: 'it is not a list of strings' }
  if (!isToolsOrAbsent(value['tools'])) {
    return { key: '/tools', reason: 'it is not a list of objects {name, safety?}' }
  }
  const { defaultEnabled } = value
  if (defaultEnabled === undefined || typeof defaultEnabled === 'boolean') return undefined
  return { key: '/defaultEnabled', reason: 'it is neither true nor false' }
}

const TEXT_LISTS = ['providers', 'tags', 'hooks', 'variables', 'network'] as const

function isToolsOrAbsent(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isTool))
}

function isTool(value: unknown): boolean {
  if (!isObject(value) || typeof value['name'] !== 'string') return false
  return value['safety'] === undefined || isObject(value['safety'])
}

function areWordsOrAbsent(value: unknown): boolean {
  if (value === undefined) return true
  const isWords = (words: unknown) =>
    isObject(words) && isTextOrAbsent(words['title']) && isTextOrAbsent(words['description'])
  return isObject(value) && Object.values(value).every(isWords)
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function isTextsOrAbsent(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isTextOrAbsent))
}

/** The error for a fault in a manifest. */
export function invalid({ file, folder, pointer }: Place, reason: string): HostError {
  return new HostError(
    'MANIFEST_INVALID',
    `${file} of "${folder}" is not valid at ${pointer || '/'}: ${reason}.`,
    { pointer },
  )
}
