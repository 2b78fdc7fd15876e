/** What the other packages of Braidwork use beyond the public face; it changes with any version. */

export { readEnvironments } from './environment-list.ts'
export { environmentOf } from './environments.ts'
export { findPython, listPythons, type Python, shimOf } from './find-python.ts'
export { type MakeOptions, makeEnvironment, removeEnvironment } from './make-environment.ts'
export { readNeeds } from './needs.ts'
