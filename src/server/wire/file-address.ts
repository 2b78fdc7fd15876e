import type { FilePart } from '@braidwork/plugin'

/** A file that a client gave by an address, or why it is none. */
export type GivenFile = { readonly file: FilePart } | { readonly fault: string }

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w-]+=[\w.+-]+)*;base64,/i
const NOT_BASE64 = /[^A-Za-z0-9+/]/
/** A file that was uploaded to this server, by its path there. */
const UPLOADED = /^(?:\/[\w.~-]+)*\/api\/files\/([0-9a-f]{64})$/
/** The longest beginning of a data URL that is looked at. */
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
 * A file by its address: `data:` with base64, or `https:`. Other schemes are none: what a model or a browser
 * would make of `javascript:` or `file:` is nobody's business. Where an address does not tell the type, it is
 * assumed: model APIs that fetch it look at what they get.
 * @param kind the beginning of the media types that are taken, as "image/"
 */
export function fileAt(address: string, kind = ''): GivenFile {
  if (/^data:/i.test(address)) return fileOfData(address, kind)
  if (hashOfUpload(address) !== undefined) {
    return { file: { type: 'file', mediaType: 'application/octet-stream', url: address } }
  }
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'https:') return { fault: 'is an https: address, or data: with base64' }
  if (url.username !== '' || url.password !== '') return { fault: 'has a name or a password in it' }
  const named = typeOfName(url.pathname)
  const assumed = kind === 'image/' ? 'image/jpeg' : 'application/pdf'
  const mediaType = named?.startsWith(kind) ? named : assumed
  return { file: { type: 'file', mediaType, url: address } }
}

/** The hash of a file that was uploaded to this server, where an address is that of one. */
export function hashOfUpload(address: string): string | undefined {
  return UPLOADED.exec(address)?.[1]
}

function fileOfData(address: string, kind: string): GivenFile {
  const [head = '', type = ''] = DATA_URL.exec(address.slice(0, HEAD)) ?? []
  if (head === '') return { fault: 'is data: without a media type or without ";base64"' }
  return fileOf(type, address.slice(head.length), kind)
}

/** A file by value. */
export function fileOf(mediaType: string, data: string, kind = ''): GivenFile {
  if (!mediaType.toLowerCase().startsWith(kind)) {
    return { fault: `is of the type "${mediaType.slice(0, 80)}", and ${kind}… is asked for` }
  }
  if (NOT_BASE64.test(data.replace(/={1,2}$/, ''))) return { fault: 'is no base64' }
  return { file: { type: 'file', mediaType: mediaType.toLowerCase(), data } }
}

/** The media type that the ending of a file's name stands for. */
export function typeOfName(name: string): string | undefined {
  return TYPES.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase())
}
