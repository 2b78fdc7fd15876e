/** Compares by UTF-16 code units. Every storage sorts named items this way. */
export function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0
}
