/** The token of an identity. */
export function tokenOf(id: string): string {
  return `token-of-${id}-0123456789`
}
