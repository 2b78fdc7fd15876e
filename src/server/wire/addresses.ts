import { isObject, type Part, type ResultEvidence, type RunEvent } from '@braidwork/plugin'
import { hashOfUpload } from './file-address.ts'

const HTTP = /^https?:\/\//i
/** Media types that a browser would run, or show as a page, instead of as an image or a file. */
const ACTIVE =
  /^(?:text\/(?:html|xml|xsl|javascript)|application\/(?:xhtml\+xml|xml|javascript|ecmascript))/i
/** Characters that browsers skip in an address. */
const UNSEEN = /[\s\p{Cc}\p{Cf}]/gu
const SCHEME = /^[^/?#]*:/
const ADDRESS_KEY = /^(?:[a-z]+_?)?(?:url|uri|href)$/i

/**
 * Whether a page may link to an address. The address is untrusted: it may come from a model, or from a page that
 * the model read.
 */
export function isLink(address: string): boolean {
  return HTTP.test(address) && URL.canParse(address)
}

/**
 * Whether a page may load a file from an address: an http(s) URL, an upload of this server, or a `data:` URL of a
 * safe type.
 */
export function isFileAddress(address: string): boolean {
  if (isLink(address) || hashOfUpload(address) !== undefined) return true
  return /^data:/i.test(address) && !ACTIVE.test(address.slice('data:'.length).replace(UNSEEN, ''))
}

/** Returns the media type for a `data:` URL. A type that a browser would run is replaced by a neutral one. */
export function addressType(mediaType: string): string {
  return ACTIVE.test(mediaType.replace(UNSEEN, '')) ? 'application/octet-stream' : mediaType
}

/** Returns an address for use as a name, or undefined if it contains code or data. */
export function nameOf(address: string | undefined): string | undefined {
  const seen = address?.replace(UNSEEN, '') ?? ''
  return seen === '' || (SCHEME.test(seen) && !seen.includes('://')) ? undefined : address
}

/** Removes an unsafe address from a part. Returns undefined for a file that has nothing else. */
export function withSafeAddress<P extends Part>(part: P): P | undefined {
  const safe = withSafeMetadata(part)
  if (safe.type === 'tool-result') return { ...safe, ...safeEvidence(safe) }
  if (safe.type !== 'source' && safe.type !== 'file') return safe
  if (safe.url === undefined) return safe
  if (safe.type === 'file') return isFileAddress(safe.url) ? safe : undefined
  if (isLink(safe.url)) return safe
  return withoutUrl(safe)
}

/** Cleans the provider metadata of a part with {@link withSafeAddresses}. */
export function withSafeMetadata<P extends Pick<Part, 'providerMetadata'>>(part: P): P {
  const { providerMetadata } = part
  if (providerMetadata === undefined) return part
  return { ...part, providerMetadata: withSafeAddresses(providerMetadata) }
}

/** Removes all addresses from an event that a page must not follow. */
export function eventWithSafeAddresses(event: RunEvent): RunEvent {
  if (event.type === 'finish' || event.type === 'step-finish') {
    const messages = event.messages.map((message) => ({
      ...message,
      parts: message.parts.map(
        (part) => withSafeAddress(part) ?? withoutUrl(withSafeMetadata(part)),
      ),
    }))
    return { ...event, messages }
  }
  if (event.type === 'source' || event.type === 'file') {
    return withSafeAddress(event) ?? withoutUrl(withSafeMetadata(event))
  }
  if (event.type === 'tool-execution-end' || event.type === 'tool-execution-late') {
    return { ...event, result: withSafeAddress(event.result) ?? event.result }
  }
  return 'providerMetadata' in event ? withSafeMetadata(event) : event
}

/** Removes addresses that a page must not follow from what a tool stated about its result. */
export function safeEvidence({ artifacts, evidence }: ResultEvidence): ResultEvidence {
  return {
    ...(artifacts ? { artifacts: withSafeAddresses(artifacts) } : {}),
    ...(evidence ? { evidence: evidence.filter((one) => !isUnsafe('uri', one)) } : {}),
  }
}

function withoutUrl<P extends object>(part: P): P {
  const { url: _, ...rest } = part as P & { readonly url?: string }
  return rest as P
}

/** Removes addresses that a page must not follow from a provider's own metadata, recursively. */
export function withSafeAddresses<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => withSafeAddresses(item)) as T
  if (!isObject(value)) return value
  const entries = Object.entries(value).filter(([key, inner]) => !isUnsafe(key, inner))
  return Object.fromEntries(entries.map(([key, inner]) => [key, withSafeAddresses(inner)])) as T
}

function isUnsafe(key: string, value: unknown): boolean {
  if (typeof value !== 'string' || !ADDRESS_KEY.test(key)) return false
  return SCHEME.test(value.replace(UNSEEN, '')) && !isFileAddress(value)
}
