import type { FilePart } from '@braidwork/plugin'

/** A file read from an address, or the reason why the address is refused. */
export type GivenFile = { readonly file: FilePart } | { readonly fault: string }

/** The media type of a file of which none is known. */
export const UNKNOWN_TYPE = 'application/octet-stream'

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w-]+=[\w.+-]+)*;base64,/i
const NOT_BASE64 = /[^A-Za-z0-9+/]/
/** The path of a file uploaded to this server. */
const UPLOADED = /^(?:\/[\w.~-]+)*\/api\/files\/([0-9a-f]{64})$/
/** How many characters of a data URL are searched for its head. */
const HEAD = 200

const TYPES: ReadonlyMap<string, string> = new Map([
  ['gif', 'image/gif'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['mp3', 'audio/mpeg'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['txt', 'text/plain'],
  ['wav', 'audio/wav'],
  ['webp', 'image/webp'],
])

/**
 * Reads a file from an address: a `data:` URL with base64, an upload of this server, or an `https:` URL. Other
 * schemes, such as `javascript:` or `file:`, are refused, because models and browsers may act on them. If the
 * address does not tell the media type, one is assumed; model APIs that fetch the file check for themselves.
 * @param kind the required beginning of the media type, such as "image/"
 */
export function fileAt(address: string, kind = ''): GivenFile {
  if (/^data:/i.test(address)) return fileOfData(address, kind)
  if (hashOfUpload(address) !== undefined) {
    return { file: { type: 'file', mediaType: UNKNOWN_TYPE, url: address } }
  }
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'https:')
    return { fault: 'must be an https: address, or data: with base64' }
  if (url.username !== '' || url.password !== '')
    return { fault: 'must not contain a user name or a password' }
  const named = typeOfName(url.pathname)
  const assumed = kind === 'image/' ? 'image/jpeg' : 'application/pdf'
  const mediaType = named?.startsWith(kind) ? named : assumed
  return { file: { type: 'file', mediaType, url: address } }
}

/** Returns the hash of an uploaded file from its address, or undefined for any other address. */
export function hashOfUpload(address: string): string | undefined {
  return UPLOADED.exec(address)?.[1]
}

function fileOfData(address: string, kind: string): GivenFile {
  const [head = '', type = ''] = DATA_URL.exec(address.slice(0, HEAD)) ?? []
  if (head === '') return { fault: 'is a data: URL without a media type or without ";base64"' }
  return fileOf(type, address.slice(head.length), kind)
}

/** Reads a file given as base64. */
export function fileOf(mediaType: string, data: string, kind = ''): GivenFile {
  if (!mediaType.toLowerCase().startsWith(kind)) {
    return { fault: `has the media type "${mediaType.slice(0, 80)}", but must have ${kind}…` }
  }
  if (NOT_BASE64.test(data.replace(/={1,2}$/, ''))) return { fault: 'is not valid base64' }
  return { file: { type: 'file', mediaType: mediaType.toLowerCase(), data } }
}

/** Returns the media type for the extension of a file name. */
export function typeOfName(name: string): string | undefined {
  return TYPES.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase())
}
