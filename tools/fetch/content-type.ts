import type { Answer } from './request.ts'

const SHOWN =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)|application\/(?:x-)?(?:javascript|yaml|ndjson))/

/** Whether a content type is text. */
export function isText(contentType: string): boolean {
  return SHOWN.test(contentType.toLowerCase())
}

export function isHtml(contentType: string): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)/i.test(contentType)
}

/** Decodes an answer with its own encoding; an unknown encoding is read as UTF-8. */
export function decode({ bytes, contentType }: Answer): string {
  const named = /charset\s*=\s*["']?([\w:.-]+)/i
  const head = bytes.subarray(0, 1024).toString('latin1')
  const label =
    named.exec(contentType)?.[1] ?? (isHtml(contentType) ? named.exec(head)?.[1] : undefined)
  try {
    return new TextDecoder(label ?? 'utf-8').decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
