import { delimiter, dirname } from 'node:path'
import { findPython, shimOf } from '../../src/python/venvs/find-python.ts'

/**
 * The search path of the tests. Where `python3` is a launcher script of a version manager, the folder of the interpreter
 * itself comes first: the script takes twice as long to start as Python, and the tests start hundreds.
 */
export async function pathToPython(
  variables: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  const { PATH } = variables
  // Tests that need Python say so where none is found.
  const isScript = (await shimOf({ variables })) !== undefined
  const python = isScript ? await findPython({ variables }).catch(() => undefined) : undefined
  return python ? `${dirname(python.executable)}${delimiter}${PATH}` : PATH
}
