import { isSecretName } from '@braidwork/core/internal'

/** The headers of requests and responses that a recording keeps. */
const KEPT =
  /^(content-type|accept|anthropic-version|anthropic-beta|openai-beta|openai-version|retry-after|retry-after-ms|x-request-id|request-id|apim-request-id)$/

/** Shorter values may be ordinary words. */
const SHORTEST = 8

const MASK = '***'

/** Removes secrets from a text. */
export type Scrub = (text: string) => string

/** The headers to keep. */
export function keptHeaders(
  headers: ReadonlyMap<string, string>,
  scrub: Scrub,
): { [name: string]: string } {
  const kept = [...headers].filter(([name]) => KEPT.test(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, scrub(value)]))
}

/** The secrets that a request tells in its headers and in its address. */
export function secretsIn(headers: ReadonlyMap<string, string>, url: string): readonly string[] {
  const sent = [...headers].flatMap(([name, value]) =>
    isSecretName(name) ? [value, value.replace(/^[a-z]+ /i, '')] : [],
  )
  const { username, password, searchParams } = new URL(url)
  const named = [...searchParams].flatMap(([name, value]) => (isSecretName(name) ? [value] : []))
  return [...sent, ...named, username, password].filter(({ length }) => length >= SHORTEST)
}

/** Removes some secrets from texts, also as JSON and addresses spell them. */
export function scrubbing(secrets: Iterable<string>): Scrub {
  const spelled = [...secrets].flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
  ])
  const all = [...new Set(spelled)].sort((left, right) => right.length - left.length)
  return (text) => all.reduce((scrubbed, secret) => scrubbed.replaceAll(secret, MASK), text)
}

/** The address without user, password and values of secret parameters. */
export function scrubbedUrl(address: string, scrub: Scrub): string {
  const url = new URL(address)
  url.username = ''
  url.password = ''
  for (const name of url.searchParams.keys())
    if (isSecretName(name)) url.searchParams.set(name, MASK)
  return scrub(url.href)
}

/** The pieces without secrets. A secret that lies across pieces joins them all. */
export function scrubbedPieces(pieces: readonly string[], scrub: Scrub): readonly string[] {
  const scrubbed = pieces.map(scrub)
  const joined = scrubbed.join('')
  const whole = scrub(joined)
  return whole === joined ? scrubbed : [whole]
}
