/** A property that is there where its value is. */
export function present<K extends string, V>(
  key: K,
  value: V | null | undefined,
): { readonly [P in K]?: V } {
  return value === undefined || value === null ? {} : ({ [key]: value } as { readonly [P in K]: V })
}
