/** Copies an object without the properties that are undefined. */
export function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const known = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(known) as { [K in keyof T]: Exclude<T[K], undefined> }
}
