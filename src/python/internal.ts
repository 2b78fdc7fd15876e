/** Exports for Braidwork's other packages only. They may change in any version. */

export { findPython, listPythons, type Python, shimOf } from './find-python.ts'
export { isRunning, removeLeftovers } from './leftovers.ts'
export { type MakeOptions, makeVenv, removeVenv } from './make-venv.ts'
export { readNeeds } from './needs.ts'
export { readVenvs } from './venv-list.ts'
export { pluginPythonOf } from './venvs.ts'
