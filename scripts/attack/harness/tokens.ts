/** The caller that may read the metrics of an attacked server. */
export const MONITOR = {
  id: 'monitor',
  token: 'token-of-monitor-0123456789',
  role: 'monitor',
} as const

/** The token of an identity. */
export function tokenOf(id: string): string {
  return `token-of-${id}-0123456789`
}
