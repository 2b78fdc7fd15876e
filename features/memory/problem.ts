/** An error that a person can cause: what is wrong, where, and what to do. */
export function problem(code: string, message: string, pointer?: string): Error {
  return Object.assign(new Error(message), { code, ...(pointer === undefined ? {} : { pointer }) })
}
