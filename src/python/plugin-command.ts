import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { delimiter } from 'node:path'
import { findPython, pluginPythonOf } from './venvs/index.ts'

interface Place {
  /** The folder of the plugin. */
  readonly folder: string
  /** The folder with the modules for tests. */
  readonly kit: string
}

/** Added to the number of a signal, as shells do. */
const SIGNALLED = 128

/**
 * Runs the interpreter that a host gives the plugin of a folder, with these arguments and the modules for tests.
 * @returns the exit status
 * @throws {HostError} PYTHON_MISSING, PYTHON_ENVIRONMENT_MISSING, MANIFEST_INVALID
 */
export async function runPluginPython(
  args: readonly string[],
  { folder, kit }: Place,
): Promise<number> {
  const { executable } = await pluginPythonOf(folder, await findPython())
  const { PYTHONPATH } = process.env
  const paths = [kit, PYTHONPATH ?? []].flat().join(delimiter)
  const env = { ...process.env, PYTHONPATH: paths }
  const child = spawn(executable, args, { stdio: 'inherit', env })
  const [status, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return status ?? SIGNALLED + (signal === null ? 0 : constants.signals[signal])
}
