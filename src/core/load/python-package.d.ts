/** The face of `@braidwork/python` as this package sees it: that one depends on this one, so no types come from it. */
export const PythonPlugins: unknown
