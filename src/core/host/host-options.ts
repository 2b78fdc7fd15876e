import { type Context, HostError, isObject, type Log } from '@braidwork/plugin'
import type { ConfigLayer } from '../config/index.ts'
import type { PluginStorages } from '../hooks/index.ts'
import { didYouMean } from '../suggest.ts'

export interface HostOptions {
  /** Plugin objects, and names or paths of plugins to load; registration order is theirs. */
  readonly plugins?: readonly unknown[]
  /** The lowest layer of every request's config. Its `${env:NAME}` are filled in here, and only here. */
  readonly config?: ConfigLayer
  /** Where log lines go; by default nowhere. */
  readonly log?: Log
  /** Where plugins keep their values (`context.storage`); by default in memory. A `Storage` of `braidwork/store` is one. */
  readonly storage?: PluginStorages
  /** The interpreter of Python plugins that need no packages; by default PYTHON_BIN, an active venv's, `python3`. */
  readonly python?: { readonly executable?: string }
  /** Which files decide what is run, by their real paths: plugins that write files leave them alone. By default none. */
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
 * As code without types may have made them.
 * @throws {HostError} OPTION_INVALID
 */
export function checkOptions(options: HostOptions): HostOptions {
  if (!isObject(options)) {
    throw new HostError('OPTION_INVALID', `createHost takes options, as in ${EXAMPLE}.`)
  }
  for (const name of Object.keys(options)) {
    if ((OPTIONS as readonly string[]).includes(name)) continue
    const known = `createHost has no option "${name}".${didYouMean(name, OPTIONS)} It takes`
    throw new HostError('OPTION_INVALID', `${known} ${OPTIONS.join(', ')}.`, {
      pointer: `/${name}`,
    })
  }
  if (options.plugins !== undefined && !Array.isArray(options.plugins)) {
    const message = `"plugins" of createHost is a list of plugins, paths and names, as in ${EXAMPLE}.`
    throw new HostError('OPTION_INVALID', message, { pointer: '/plugins' })
  }
  return options
}

const EXAMPLE = "{ plugins: ['scripted'] }"
