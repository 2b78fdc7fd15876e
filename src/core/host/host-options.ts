import { type Context, HostError, isObject, type Log, type Plugin } from '@braidwork/plugin'
import type { ConfigLayer } from '../config/index.ts'
import type { PluginStorages } from '../storage.ts'
import { unknownOption } from './option-names.ts'

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
  checkPython(options.python)
  return options
}

const PYTHON = ['executable'] satisfies (keyof NonNullable<HostOptions['python']>)[]

function checkPython(python: unknown): void {
  if (python === undefined) return
  if (!isObject(python)) throw wrongPython('/python', '"python"', 'an object')
  for (const name of Object.keys(python)) {
    if (PYTHON.some((one) => one === name)) continue
    throw unknownOption('"python" of createHost', `/python/${name}`, PYTHON)
  }
  const { executable = '' } = python
  if (typeof executable !== 'string')
    throw wrongPython('/python/executable', '"executable" of "python"', 'a path or a name')
}

function wrongPython(pointer: string, option: string, kind: string): HostError {
  const message = `${option} of createHost must be ${kind}, as in { python: { executable: '/usr/bin/python3' } }.`
  return new HostError('OPTION_INVALID', message, { pointer })
}

const EXAMPLE = "{ plugins: ['scripted'] }"
