import type { FilePart } from '@braidwork/plugin'
import type { FileData, FileInput } from './call-types.ts'
import { UnsupportedContentError } from './errors.ts'
import { ownMetadata } from './metadata.ts'

/** The first bytes of the kinds of files that people send, as base64, which the content itself is in. */
const SIGNATURES: readonly (readonly [start: string, mediaType: string])[] = [
  ['iVBORw', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi', 'application/pdf'],
]

/**
 * Converts a file of a prompt.
 * @throws {UnsupportedContentError} for a file that is uploaded to another provider, and where the kind is not known
 */
export function fileOf({ data, mediaType, filename, providerOptions }: FileInput): FilePart {
  const content = contentOf(data)
  return {
    type: 'file',
    mediaType: fullType(mediaType, 'data' in content ? content.data : undefined),
    ...content,
    ...(filename === undefined ? {} : { name: filename }),
    ...ownMetadata(providerOptions),
  }
}

type Content = { readonly data: string } | { readonly url: string }

function contentOf(data: FileData): Content {
  if (typeof data === 'string') return textContent(data)
  if (data instanceof URL) return addressContent(data.href)
  if (data instanceof Uint8Array) return { data: Buffer.from(data).toString('base64') }
  if (data.type === 'data') return contentOf(data.data)
  if (data.type === 'url') return addressContent(data.url.href)
  if (data.type === 'text') return { data: Buffer.from(data.text).toString('base64') }
  throw new UnsupportedContentError('a file that was uploaded to a provider; send its content')
}

/** A text is base64, or in older versions the address of the file. */
function textContent(text: string): Content {
  return /^(?:https?|data):/i.test(text) ? addressContent(text) : { data: text }
}

/** The content of a `data:` address is in the address; other addresses are left to the provider. */
function addressContent(address: string): Content {
  if (!address.startsWith('data:')) return { url: address }
  const comma = address.indexOf(',')
  const text = address.slice(comma + 1)
  if (address.slice(0, comma).endsWith(';base64')) return { data: text }
  return { data: Buffer.from(decodeURIComponent(text)).toString('base64') }
}

/** Completes a type such as `image` or `image/*`, by the first bytes of the content. */
function fullType(mediaType: string, data: string | undefined): string {
  const [kind = '', subtype = '*'] = mediaType.split('/')
  if (subtype !== '*') return mediaType
  const known = SIGNATURES.find(([start]) => data?.startsWith(start))?.[1]
  if (known?.startsWith(`${kind}/`)) return known
  // The provider fetches the address and learns the type there. It only has to know that it is an image.
  if (data === undefined && kind === 'image') return 'image/*'
  throw new UnsupportedContentError(`a file of the media type "${mediaType}"; name the full type`)
}
