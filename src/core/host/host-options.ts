import { type Context, HostError, isObject, type Log, type Plugin } from '@braidwork/plugin'
import type { ConfigLayer } from '../config/index.ts'
import { folderNamed } from '../load/index.ts'
import type { PluginStorages } from '../storage.ts'
import {
  assertOptionKinds,
  ELSEWHERE,
  FUNCTION,
  havingMethods,
  type Kind,
  LIST,
  objectOf,
  TEXT,
} from './option-kinds.ts'

/**
 * A plugin, or the name, path or `file:` URL of one. A value without a type is taken too, since what is no plugin is a
 * diagnostic; the type `Plugin` gives the hooks of an object that stands in the list the types of their arguments.
 */
type GivenPlugin = Plugin | NonNullable<unknown> | null | undefined

export interface HostOptions {
  /** Plugin objects, and names, paths or `file:` URLs of plugins to load. Their order is the registration order. */
  readonly plugins?: readonly GivenPlugin[] | undefined
  /**
   * Where names and paths in `plugins` start from: a folder, or a file in it, as a path or a `file:` URL such as
   * `import.meta.url`. Without it, paths start from the working directory, and names from the main module of the program
   * and from the place of Braidwork, which are also searched with it.
   */
  readonly from?: string | URL | undefined
  /** The lowest layer of every request's config. References `${env:NAME}` are filled in here, and in no other layer. */
  readonly config?: ConfigLayer | undefined
  /** Receives log lines. By default they are dropped. */
  readonly log?: Log | undefined
  /**
   * The storage behind `context.storage`; a `Storage` of `braidwork/store` fits. The default is that of the server for
   * the requests of a server, and otherwise in memory.
   */
  readonly storage?: PluginStorages | undefined
  /** The interpreter for Python plugins without packages. The default is PYTHON_BIN, an active venv, or `python3`. */
  readonly python?: { readonly executable?: string | undefined } | undefined
  /** The real paths of files that decide what the host runs. Plugins must not write to them. The default is none. */
  readonly protectedFiles?: Context['protectedFiles'] | undefined
}

const EXAMPLE = "{ plugins: ['scripted'] }"

/** The kinds of the values. What is wrong in a config is an error of its own. */
const KINDS: { readonly [K in keyof HostOptions]-?: Kind } = {
  plugins: { ...LIST, expected: `a list of plugins, paths and names, as in ${EXAMPLE}` },
  from: {
    has: (value) => folderNamed(value) !== undefined,
    expected: 'a folder or file that exists, or its URL, such as import.meta.url',
  },
  config: ELSEWHERE,
  log: FUNCTION,
  storage: havingMethods('a storage', 'storageOf'),
  python: {
    ...objectOf({ executable: { ...TEXT, expected: 'a path or a name' } }),
    expected: "an object, as in { python: { executable: '/usr/bin/python3' } }",
  },
  protectedFiles: FUNCTION,
}

/**
 * Checks options that may come from untyped code.
 * @throws {HostError} OPTION_INVALID
 */
export function checkOptions(options: HostOptions): HostOptions {
  if (!isObject(options)) {
    throw new HostError('OPTION_INVALID', `createHost needs options, such as ${EXAMPLE}.`)
  }
  assertOptionKinds('createHost', options, KINDS)
  return options
}
