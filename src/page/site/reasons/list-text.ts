/** Names in quotes, with commas. */
export function listText(names: readonly string[]): string {
  return names.map((name) => `“${name}”`).join(', ')
}
