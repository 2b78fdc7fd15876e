import { withCharacters } from './text.ts'

const LINKS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])
const IMAGE_DATA = /^data:image\/[a-z+.-]+[;,]/i

/** The address of a link that may be followed. Undefined for all but web pages and mail, and where it signs in. */
export function linkAddress(href: string): string | undefined {
  const url = urlOf(withCharacters(href))
  return url && LINKS.has(url.protocol) && !signsIn(url) ? url.href : undefined
}

/** How an image is shown: as it is, as a link to its host, or not at all. */
export type ImagePlace =
  | { readonly kind: 'image'; readonly address: string }
  | { readonly kind: 'remote-image'; readonly address: string; readonly host: string }

/** Decides how an image is shown on the page at `base`. An image of another host would tell it of the reader. */
export function imagePlace(href: string, base: string): ImagePlace | undefined {
  const address = withCharacters(href)
  if (IMAGE_DATA.test(address)) return { kind: 'image', address }
  const url = urlOf(address, base)
  if (!url) return undefined
  const isOwn = url.origin === urlOf(base)?.origin && url.origin !== 'null'
  if (isOwn && url.username === '' && url.password === '') {
    return { kind: 'image', address: url.href }
  }
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  return isWeb && !signsIn(url)
    ? { kind: 'remote-image', address: url.href, host: url.host }
    : undefined
}

/** Whether an address would sign somebody in on a page such as this one, by the token of anybody. */
function signsIn({ hash }: URL): boolean {
  return new URLSearchParams(hash.slice(1)).has('token')
}

function urlOf(address: string, base?: string): URL | undefined {
  try {
    return new URL(address, base)
  } catch {
    return undefined
  }
}
