import { createHash } from 'node:crypto'
import type { ServerSettings } from '../settings.ts'

/** What decides which process or session a server is, besides the server itself. */
export interface Surroundings {
  readonly roots: readonly string[]
  readonly max_bytes: number
}

/**
 * The identity of what runs: command, arguments, environment, folder and credentials, whether it is told that it may
 * ask the model, and the revision of the protocol, but not the server's name. Runs with the same identity share one
 * process or session.
 */
export function identityOf(
  { reached, sampling, isOld }: ServerSettings,
  around: Surroundings,
): string {
  const facts = [reached, around.roots, around.max_bytes, sampling !== undefined, isOld].map(sorted)
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex')
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return entries.map(([key, inner]) => [key, sorted(inner)])
}
