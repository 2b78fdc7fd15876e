/** The test files that take longest, in this order. They start first. */
export const LONGEST: readonly string[] = []
