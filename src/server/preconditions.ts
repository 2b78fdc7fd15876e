import { createHash } from 'node:crypto'

/** Says whether a write goes on, by the ETag of what it replaces; undefined where there is nothing yet. */
export type Precondition = (etag: string | undefined) => boolean

/** The strong ETag of a value, by its JSON. */
export function etagOf(value: object): string {
  return `"${createHash('sha256').update(JSON.stringify(value)).digest('base64url')}"`
}

/**
 * What `If-Match` and `If-None-Match` of a request demand. Undefined if it has neither. A weak ETag matches no
 * `If-Match`. RFC 9110, 13.1
 */
export function preconditionIn(headers: Headers): Precondition | undefined {
  const [match, noneMatch] = [headers.get('if-match'), headers.get('if-none-match')]
  if (match === null && noneMatch === null) return undefined
  return (etag) =>
    (match === null || names(match, etag)) && (noneMatch === null || !names(noneMatch, etag, 'W/'))
}

const TAG = /(?:W\/)?"[^"]*"/g

/** Whether a header names an ETag, or has `*` and there is one. @param dropped a prefix of tags that does not count */
function names(header: string, etag: string | undefined, dropped = ''): boolean {
  if (etag === undefined) return false
  if (header.trim() === '*') return true
  const tags = header.match(TAG) ?? []
  return tags.some((tag) => (tag.startsWith(dropped) ? tag.slice(dropped.length) : tag) === etag)
}
