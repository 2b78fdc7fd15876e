import type { Kind, Log } from '@braidwork/plugin'
import { type AnyPlugin, toMissingPackage } from '@braidwork/plugin/internal'
import { VERSION } from '../version.ts'

/** The member of a host plugin by which the package for Python marks that it is written in Python. */
export const PYTHON: unique symbol = Symbol.for('braidwork.python')

/** Options for running Python plugins. */
export interface PythonLoaderOptions {
  /** The interpreter for plugins without packages. The default is PYTHON_BIN, an active venv, or `python3`. */
  readonly executable?: string | undefined
  /** Receives the output of the plugins. By default it is dropped. */
  readonly log?: Log
}

/** A plugin among the entry points of an installed distribution. */
export interface DistributedPlugin {
  readonly kind: Kind
  readonly name: string
  /** The absolute path of its module. */
  readonly entry: string
  readonly description?: string
}

/** An installed Python distribution, as its metadata describes it. */
export interface Distribution {
  readonly plugins: readonly DistributedPlugin[]
  /** The source folder of an editable installation (`pip install -e`) whose manifest replaces the entry points. */
  readonly folder?: string
}

export interface PythonLoader {
  /** Loads the plugin of a Python module. @throws {HostError} */
  load(entry: string): Promise<AnyPlugin>
  /** The plugins of an installed Python distribution. Undefined if there is none of that name. @throws {HostError} */
  distribution(name: string): Promise<Distribution | undefined>
  /** The path of the interpreter whose distributions are searched. @throws {HostError} PYTHON_MISSING */
  place(): Promise<string>
  /** Ends all interpreters, also those of plugins that were loaded and then refused, which nobody else closes. */
  close(): Promise<void>
}

/** Loads Python plugins. The package that runs them is imported with the first one. */
export function pythonLoader({
  executable,
  log = () => undefined,
}: PythonLoaderOptions = {}): PythonLoader {
  let loaded: Promise<PythonLoader> | undefined
  let started: PythonLoader | undefined
  const loader = (): Promise<PythonLoader> => {
    loaded ??= importPython().then(({ PythonPlugins }) => {
      started = new PythonPlugins({ executable, log, version: VERSION })
      return started
    })
    return loaded
  }
  return {
    load: async (entry) => (await loader()).load(entry),
    distribution: async (name) => (await loader()).distribution(name),
    place: async () => (await loader()).place(),
    close: async () => started?.close(),
  }
}

interface PythonPackage {
  readonly PythonPlugins: new (options: {
    readonly executable: string | undefined
    readonly log: Log
    readonly version: string
  }) => PythonLoader
}

async function importPython(): Promise<PythonPackage> {
  try {
    // That package depends on this one, so it cannot be imported statically; its type is declared here.
    return (await import('@braidwork/python')) as PythonPackage
  } catch (error) {
    throw toMissingPackage(error, 'Plugins in Python need')
  }
}
