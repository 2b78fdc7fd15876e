import { didYouMean, SHIPPED_PACKAGES } from '@braidwork/core/internal'
import { HostError, KINDS, type Kind } from '@braidwork/plugin'

/** The languages of templates. */
export const LANGUAGES = ['typescript', 'python'] as const

export type Language = (typeof LANGUAGES)[number]

export interface NewOptions {
  /** By default TypeScript. */
  readonly language?: string
  /** The provider whose tags an extension or a feature requires. */
  readonly for?: string
}

/** A plugin that is to be written. */
export interface Wanted {
  readonly kind: Kind
  readonly name: string
  readonly language: Language
  readonly provider?: string
}

/** Words of the command line, before they are checked. */
export interface Said extends NewOptions {
  readonly kind: string
  readonly name: string
}

/** npm takes longer names, but many file systems do not take the folders of a package in them. */
const LONGEST_NAME = 64
/** Stricter than a manifest: the name is also part of an npm package's and of a Python module's name. */
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
/** The kinds that may be written for one provider. */
const FOR_PROVIDERS: readonly Kind[] = ['extension', 'feature']

/**
 * Checks what a plugin is to be.
 * @param taken - the names of the plugins that are found from here
 * @throws {HostError} OPTION_INVALID, PLUGIN_NAME_TAKEN
 */
export function checkWanted(said: Said, taken: readonly string[]): Wanted {
  const kind = oneOf(KINDS, said.kind, 'kind')
  const language = oneOf(LANGUAGES, said.language ?? 'typescript', 'language')
  const fault = nameFault(said.name, taken)
  if (fault) throw fault
  const wanted = { kind, name: said.name, language }
  if (said.for === undefined) return wanted
  if (FOR_PROVIDERS.includes(kind)) return { ...wanted, provider: said.for }
  throw invalid(`--for is for extensions and features. A ${kind} works without a certain provider.`)
}

/** The fault in a name, or undefined. */
export function nameFault(name: string, taken: readonly string[]): HostError | undefined {
  if (/[\\/]/.test(name) || name.startsWith('.')) {
    return invalid(
      `"${name}" is a path. Give the name of the plugin alone; its folder is made in this folder.`,
    )
  }
  if (!NAME.test(name) || name.length > LONGEST_NAME || name === 'constructor') {
    return invalid(
      `"${name}" cannot be the name of a plugin. Begin with a letter, and use at most ${LONGEST_NAME} lowercase letters and digits, in words that are joined by "-", such as "my-plugin".`,
    )
  }
  if (![...taken, ...SHIPPED_PACKAGES.keys()].includes(name)) return undefined
  return new HostError(
    'PLUGIN_NAME_TAKEN',
    `There is already a plugin "${name}". Choose another name; "braidwork plugins" lists those that are found from here.`,
  )
}

function oneOf<T extends string>(values: readonly T[], given: string, what: string): T {
  const known = values.find((value) => value === given)
  if (known !== undefined) return known
  const list = values.map((value) => `"${value}"`).join(', ')
  throw invalid(`There is no ${what} "${given}".${didYouMean(given, values)} It is one of ${list}.`)
}

function invalid(message: string): HostError {
  return new HostError('OPTION_INVALID', message)
}
