/** An error that the caller can correct. The message says what is wrong, where, and what to do. */
export function problem(code: string, message: string, pointer?: string): Error {
  return Object.assign(new Error(message), { code, ...(pointer === undefined ? {} : { pointer }) })
}
