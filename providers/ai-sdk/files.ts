import { providerError } from '@braidwork/model-api/exchange'
import type { FilePart, Message, Part } from '@braidwork/plugin'
import type { UrlPatterns } from './model-types.ts'

/**
 * Checks the files that have an address only: the model API must fetch them itself, because the provider fetches nothing
 * that a message names. In earlier turns a text replaces such a file; another model may have taken it.
 * @throws INVALID_REQUEST with the pointer of the file, in the current turn
 */
export function checkUrls(messages: readonly Message[], patterns: UrlPatterns): readonly Message[] {
  const now = messages.findLastIndex(({ role }) => role === 'assistant') + 1
  return messages.map((message, index) => {
    const at = message.parts.findIndex((part) => isRefused(part, patterns))
    if (at === -1) return message
    if (index >= now) throw refusal(`/messages/${index}/parts/${at}`)
    const parts = message.parts.map((part) =>
      isRefused(part, patterns) ? placeholder(part) : part,
    )
    return { ...message, parts }
  })
}

function isRefused(part: Part, patterns: UrlPatterns): part is FilePart {
  if (part.type !== 'file' || part.data !== undefined || part.url === undefined) return false
  const { mediaType, url } = part
  if (/^data:/i.test(url)) return false
  return !Object.entries(patterns).some(
    ([type, known]) =>
      isOfType(mediaType, type) && known.some((pattern) => url.search(pattern) !== -1),
  )
}

function isOfType(mediaType: string, pattern: string): boolean {
  if (pattern === '*' || pattern === '*/*') return true
  const lower = pattern.toLowerCase()
  return lower.endsWith('/*')
    ? mediaType.toLowerCase().startsWith(lower.slice(0, -1))
    : mediaType.toLowerCase() === lower
}

function placeholder(part: Part): Part {
  if (part.type !== 'file') return part
  return { type: 'text', text: `[file ${part.name ?? part.mediaType}]` }
}

function refusal(pointer: string): Error {
  const message = 'The model API does not fetch this file by its address. Send its content.'
  return providerError('INVALID_REQUEST', message, { pointer, retryable: false })
}
