/** Where an error was thrown, as `/path/module.js:3`. Undefined if that is not known, or within Node. */
export function throwSiteOf(error: unknown): string | undefined {
  try {
    const stack = error instanceof Error ? String(error.stack) : ''
    return /(?:file:\/\/|\(|at )(\/[^\s():]+:\d+)/.exec(stack)?.[1]
  } catch {
    return undefined
  }
}
