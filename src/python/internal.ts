/** Exports for Braidwork's other packages only. They may change in any version. */

export {
  findPython,
  isRunning,
  listPythons,
  type MakeOptions,
  makeVenv,
  type Python,
  pluginPythonOf,
  readNeeds,
  readVenvs,
  removeLeftovers,
  removeVenv,
  shimOf,
} from './venvs/index.ts'
