const ERROR = /^\[object (?:Error|DOMException)\]$/

/**
 * Whether a value is an error. `instanceof` does not tell: where modules run in a context of their own, as under jest,
 * the errors of Node have other classes.
 */
export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error || ERROR.test(Object.prototype.toString.call(value))
  } catch {
    // A value whose properties throw when they are read is none that anybody could show.
    return false
  }
}

/**
 * The code of an error of the system or of Node, such as `ENOENT`; empty if there is none. See {@link isError} for why
 * the class of the error does not count.
 */
export function codeOf(error: unknown): string {
  try {
    const { code }: { readonly code?: unknown } = Object(error)
    return typeof code === 'string' ? code : ''
  } catch {
    // A plugin threw a value whose properties throw when they are read.
    return ''
  }
}
