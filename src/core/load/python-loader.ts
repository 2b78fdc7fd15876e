import type { Kind, Log } from '@braidwork/plugin'
import { type AnyPlugin, toMissingPackage } from '@braidwork/plugin/internal'
import { VERSION } from '../version.ts'

/** How the Python plugins of a host are run. */
export interface PythonLoaderOptions {
  /** The interpreter for plugins that need no packages; by default PYTHON_BIN, an active venv's, `python3`. */
  readonly executable?: string | undefined
  /** Where what they print goes; by default nowhere. */
  readonly log?: Log
}

/** A plugin that an installed distribution names among its entry points. */
export interface DistributedPlugin {
  readonly kind: Kind
  readonly name: string
  /** Absolute path of its module. */
  readonly entry: string
  readonly description?: string
}

/** An installed Python distribution, as its metadata tells of it. */
export interface Distribution {
  readonly plugins: readonly DistributedPlugin[]
  /** The folder that it was installed from in place (`pip install -e`); its pyproject.toml speaks for it. */
  readonly folder?: string
}

export interface PythonLoader {
  /** The plugin of a Python module. @throws {HostError} */
  load(entry: string): Promise<AnyPlugin>
  /** The plugins of an installed Python distribution; nothing where there is none of that name. @throws {HostError} */
  distribution(name: string): Promise<Distribution | undefined>
}

/** Loads Python plugins, and with the first of them the package that runs them. */
export function pythonLoader({
  executable,
  log = () => undefined,
}: PythonLoaderOptions = {}): PythonLoader {
  let loaded: Promise<PythonLoader> | undefined
  const loader = (): Promise<PythonLoader> => {
    loaded ??= importPython().then(
      ({ PythonPlugins }) => new PythonPlugins({ executable, log, version: VERSION }),
    )
    return loaded
  }
  return {
    load: async (entry) => (await loader()).load(entry),
    distribution: async (name) => (await loader()).distribution(name),
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
    // It depends on this package, so its face is known here by what is asked of it.
    return (await import('@braidwork/python')) as PythonPackage
  } catch (error) {
    throw toMissingPackage(error, 'Plugins in Python need')
  }
}
