import type { AnyPlugin, Log } from '../plugin/internal.ts'
import type { Distribution } from '../python/distributions.ts'

/** How the Python plugins of a host are run. */
export interface PythonLoaderOptions {
  /** The interpreter for plugins that need no packages; by default PYTHON_BIN, an active venv's, `python3`. */
  readonly executable?: string | undefined
  /** Where what they print goes; by default nowhere. */
  readonly log?: Log
}

export interface PythonLoader {
  /** The plugin of a Python module. @throws {HostError} */
  load(entry: string): Promise<AnyPlugin>
  /** The plugins of an installed Python distribution; nothing where there is none of that name. @throws {HostError} */
  distribution(name: string): Promise<Distribution | undefined>
}

/** Loads Python plugins, and the room that runs them with the first. */
export function pythonLoader({
  executable,
  log = () => undefined,
}: PythonLoaderOptions = {}): PythonLoader {
  let loaded: Promise<PythonLoader> | undefined
  const room = (): Promise<PythonLoader> => {
    loaded ??= import('../python/index.ts').then(
      ({ PythonPlugins }) => new PythonPlugins({ executable, log }),
    )
    return loaded
  }
  return {
    load: async (entry) => (await room()).load(entry),
    distribution: async (name) => (await room()).distribution(name),
  }
}
