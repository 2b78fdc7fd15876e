export { findDistribution } from './distributions.ts'
export {
  childVariables,
  findPython,
  LONGEST_START_MS,
  listPythons,
  type Python,
  shimOf,
} from './find-python.ts'
export { isRunning, removeLeftovers } from './leftovers.ts'
export { type MakeOptions, makeVenv, removeVenv } from './make-venv.ts'
export { hasPackages, type PythonNeeds, readNeeds } from './needs.ts'
export { type Ended, runProgram } from './run-program.ts'
export { readVenvs } from './venv-list.ts'
export { baseKey, type PluginPython, pluginPythonFor, pluginPythonOf } from './venvs.ts'
