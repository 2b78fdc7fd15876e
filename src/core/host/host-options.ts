import { type Context, HostError, isObject, type Log, type Plugin } from '@braidwork/plugin'
import type { ConfigLayer } from '../config/index.ts'
import type { PluginStorages } from '../storage.ts'
import { didYouMean, nearest } from '../suggest.ts'

/**
 * A plugin, or the name or path of one. A value without a type is taken too, since what is no plugin is a diagnostic; the
 * type `Plugin` gives the hooks of an object that stands in the list the types of their arguments.
 */
type GivenPlugin = Plugin | NonNullable<unknown> | null | undefined

export interface HostOptions {
  /** Plugin objects, and names or paths of plugins to load. Their order is the registration order. */
  readonly plugins?: readonly GivenPlugin[]
  /** The lowest layer of every request's config. References `${env:NAME}` are filled in here, and in no other layer. */
  readonly config?: ConfigLayer
  /** Receives log lines. By default they are dropped. */
  readonly log?: Log
  /** The storage behind `context.storage`. The default is in memory. A `Storage` of `braidwork/store` fits. */
  readonly storage?: PluginStorages
  /** The interpreter for Python plugins without packages. The default is PYTHON_BIN, an active venv, or `python3`. */
  readonly python?: { readonly executable?: string }
  /** The real paths of files that decide what the host runs. Plugins must not write to them. The default is none. */
  readonly protectedFiles?: Context['protectedFiles']
}

const OPTIONS = [
  'plugins',
  'config',
  'log',
  'storage',
  'python',
  'protectedFiles',
] satisfies (keyof HostOptions)[]

/**
 * Checks options that may come from untyped code.
 * @throws {HostError} OPTION_INVALID
 */
export function checkOptions(options: HostOptions): HostOptions {
  if (!isObject(options)) {
    throw new HostError('OPTION_INVALID', `createHost needs options, such as ${EXAMPLE}.`)
  }
  for (const name of Object.keys(options)) {
    if ((OPTIONS as readonly string[]).includes(name)) continue
    throw unknownOption('createHost', `/${name}`, OPTIONS)
  }
  if (options.plugins !== undefined && !Array.isArray(options.plugins)) {
    const message = `"plugins" of createHost must be a list of plugins, paths and names, as in ${EXAMPLE}.`
    throw new HostError('OPTION_INVALID', message, { pointer: '/plugins' })
  }
  return options
}

/** The error of an option that there is not. @param of what takes the options, such as `createHost` */
export function unknownOption(of: string, pointer: string, known: readonly string[]): HostError {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1)
  const message = `${of} has no option "${name}".${didYouMean(name, known)} It takes`
  return new HostError('OPTION_INVALID', `${message} ${known.join(', ')}.`, { pointer })
}

/**
 * Refuses an option whose name is nearly one that there is. Others are no error: a decoded request has more members.
 * @throws {HostError} OPTION_INVALID
 */
export function refuseMisspelled(of: string, options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (!known.includes(name) && isNearOne(name, known)) throw unknownOption(of, `/${name}`, known)
  }
}

/** The names that are near none, by the list. Every request of a program has the same, and comparing takes a while. */
const farNames = new WeakMap<readonly string[], Set<string>>()
/** The most of these names, and the most characters of one: they may come from outside. */
const MOST_FAR = 100
const LONGEST_FAR = 50

function isNearOne(name: string, known: readonly string[]): boolean {
  const far = farNames.get(known) ?? new Set()
  if (far.has(name)) return false
  if (nearest(name, known) !== undefined) return true
  if (far.size < MOST_FAR && name.length <= LONGEST_FAR) farNames.set(known, far.add(name))
  return false
}

const EXAMPLE = "{ plugins: ['scripted'] }"
