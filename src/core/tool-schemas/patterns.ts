/** Lookaround and backreferences, which the linear-time regular expression engines of model APIs lack. */
const BEYOND = /\(\?(?:=|!|<[=!])|\\[1-9]|\\k</

/** Whether a model API can enforce a pattern. */
export function isRegular(pattern: unknown): boolean {
  return typeof pattern === 'string' && !BEYOND.test(pattern)
}
