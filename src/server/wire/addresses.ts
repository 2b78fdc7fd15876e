import { isObject, type Part, type RunEvent } from '@braidwork/plugin'
import { hashOfUpload } from './file-address.ts'

const HTTP = /^https?:\/\//i
/** What a page would run or show as a page, not as a picture or a file. */
const ACTIVE =
  /^(?:text\/(?:html|xml|xsl|javascript)|application\/(?:xhtml\+xml|xml|javascript|ecmascript))/i
/** What browsers leave out of an address. */
const UNSEEN = /[\s\p{Cc}\p{Cf}]/gu
const SCHEME = /^[^/?#]*:/
const ADDRESS_KEY = /^(?:[a-z]+_?)?(?:url|uri|href)$/i

/** Whether a page may link to an address: a model, or the page that it read, may have written any. */
export function isLink(address: string): boolean {
  return HTTP.test(address) && URL.canParse(address)
}

/** Whether a page may take a file from an address: of the web, of this server, or by value. */
export function isFileAddress(address: string): boolean {
  if (isLink(address) || hashOfUpload(address) !== undefined) return true
  return /^data:/i.test(address) && !ACTIVE.test(address.slice('data:'.length).replace(UNSEEN, ''))
}

/** The type under which a file by value may stand in an address. */
export function addressType(mediaType: string): string {
  return ACTIVE.test(mediaType.replace(UNSEEN, '')) ? 'application/octet-stream' : mediaType
}

/** An address as a name for what it stands for; nothing where it is code or data. */
export function nameOf(address: string | undefined): string | undefined {
  const seen = address?.replace(UNSEEN, '') ?? ''
  return seen === '' || (SCHEME.test(seen) && !seen.includes('://')) ? undefined : address
}

/** A part without an address that a page must not follow; nothing where no more is left of a file. */
export function withSafeAddress<P extends Part>(part: P): P | undefined {
  const safe = withSafeMetadata(part)
  if (safe.type !== 'source' && safe.type !== 'file') return safe
  if (safe.url === undefined) return safe
  if (safe.type === 'file') return isFileAddress(safe.url) ? safe : undefined
  if (isLink(safe.url)) return safe
  return withoutUrl(safe)
}

/** Something with what its provider says of it, as {@link withSafeAddresses} has it. */
export function withSafeMetadata<P extends Pick<Part, 'providerMetadata'>>(part: P): P {
  const { providerMetadata } = part
  if (providerMetadata === undefined) return part
  return { ...part, providerMetadata: withSafeAddresses(providerMetadata) }
}

/** An event of a run without addresses that a page must not follow. */
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
  return 'providerMetadata' in event ? withSafeMetadata(event) : event
}

function withoutUrl<P extends object>(part: P): P {
  const { url: _, ...rest } = part as P & { readonly url?: string }
  return rest as P
}

/** What a provider said in words of its own, without addresses that a page must not follow. */
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
