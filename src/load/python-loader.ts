import type { AnyPlugin, Log } from '../plugin/internal.ts'

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
}

/** Loads Python plugins, and the room that runs them with the first. */
export function pythonLoader({
  executable,
  log = () => undefined,
}: PythonLoaderOptions = {}): PythonLoader {
  let room: Promise<PythonLoader> | undefined
  return {
    load: async (entry) => {
      room ??= import('../python/index.ts').then(
        ({ PythonPlugins }) => new PythonPlugins({ executable, log }),
      )
      return (await room).load(entry)
    },
  }
}
