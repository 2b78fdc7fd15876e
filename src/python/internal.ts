/** Exports for Braidwork's other packages only. They may change in any version. */

export { runPluginPython } from './plugin-command.ts'
export {
  type Ended,
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
  runProgram,
  shimOf,
} from './venvs/index.ts'
