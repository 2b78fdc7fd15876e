/** Exports for Braidwork's other packages only. They may change in any version. */

export { endGroup } from './process-group.ts'
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
export { endWithHost } from './watcher.ts'
