/** What engines of linear time, as those of model APIs are, do not have: looking around, and back. */
const BEYOND = /\(\?(?:=|!|<[=!])|\\[1-9]|\\k</

/** Whether a pattern is one that a model can be held to. */
export function isRegular(pattern: unknown): boolean {
  return typeof pattern === 'string' && !BEYOND.test(pattern)
}
