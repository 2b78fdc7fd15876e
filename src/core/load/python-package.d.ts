/** Declares `@braidwork/python` without its own types, because that package depends on this one. */
export const PythonPlugins: unknown
