import { createHash } from 'node:crypto'
import type { Profile } from './profile.ts'

/**
 * A digest of the host of a URL: it identifies servers in the facts of parts. Clients get these, and are not told where the
 * model runs.
 */
export function digestOf(url: string): string {
  const host = URL.canParse(url) ? new URL(url).host : url
  return createHash('sha256').update(host).digest('base64url').slice(0, 16)
}

/** The profile of an API at the address of the settings. */
export function profileAt(
  profile: Profile,
  { base_url = profile.baseUrl }: { readonly base_url?: string },
): Profile {
  return { ...profile, server: digestOf(base_url) }
}

/** Whether a profile is of the API's own server, not of another one with the same interface. */
export function isOwnServer({ server, baseUrl }: Profile): boolean {
  return server === undefined || server === digestOf(baseUrl)
}
