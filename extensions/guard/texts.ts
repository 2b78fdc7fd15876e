import type { Message, Part } from '@braidwork/plugin'

/** All strings in a JSON value, including object keys. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)])
}

/** The texts of messages, part by part, without file bytes and ids. */
export function textsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ parts }) => parts.flatMap(textsOfPart))
}

function textsOfPart(part: Part): readonly string[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [part.text]
    case 'tool-call':
      return textsIn(part.input)
    case 'tool-result':
      return Array.isArray(part.output) ? part.output.flatMap(textsOfItem) : textsIn(part.output)
    case 'file':
      return textsIn(part.name)
    case 'data':
      return textsIn(part.data)
    case 'source':
      return textsIn([part.title, part.url])
    default:
      return []
  }
}

/** The texts of an item of a tool result. None if the item is a file. */
function textsOfItem(item: unknown): readonly string[] {
  const isFile = typeof item === 'object' && item !== null && 'mediaType' in item
  return isFile ? [] : textsIn(item)
}
