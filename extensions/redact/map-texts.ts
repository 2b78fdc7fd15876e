import type { Message, Part } from '@braidwork/plugin'

type Change = (text: string) => string

/** A text change that depends on the part the text belongs to. */
type PartChange = (text: string, part: Part) => string

/** A JSON value with all strings changed, keys included; the same object if nothing changes. */
export function mapJson(value: unknown, change: Change): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value === 'number') return mapNumber(value, change)
  if (Array.isArray(value)) {
    const items = value.map((item) => mapJson(item, change))
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const mapped = entries.map(([key, item]) => [change(key), mapJson(item, change)] as const)
  const isSame = mapped.every(
    ([key, item], at) => key === entries[at]?.[0] && item === entries[at]?.[1],
  )
  return isSame ? value : Object.fromEntries(mapped)
}

/** Changes a number, which may be a card number. A changed number becomes a text. */
function mapNumber(value: number, change: Change): unknown {
  if (!Number.isSafeInteger(value)) return value
  const text = String(value)
  const changed = change(text)
  return changed === text ? value : changed
}

export function mapMessages(messages: readonly Message[], change: PartChange): readonly Message[] {
  const mapped = messages.map((message) => mapMessage(message, change))
  return mapped.some((message, at) => message !== messages[at]) ? mapped : messages
}

function mapMessage(message: Message, change: PartChange): Message {
  const parts = message.parts.map((part) => mapPart(part, (text) => change(text, part)))
  return parts.some((part, at) => part !== message.parts[at]) ? { ...message, parts } : message
}

/** The fields with text written by a person or a model. File bytes, URLs, ids and tool names are excluded. */
const FIELDS: { readonly [type: string]: readonly string[] } = {
  text: ['text'],
  reasoning: ['text'],
  file: ['name'],
  'tool-call': ['input'],
  'tool-result': ['output'],
  source: ['url', 'title', 'text', 'snippet', 'citedText'],
  data: ['data'],
}

/** Changes the texts of a part, or of an event that is a part. */
export function mapPart<T extends Part>(part: T, change: Change): T {
  let changed: T = part
  for (const field of FIELDS[part.type] ?? []) {
    const value: unknown = part[field as keyof T]
    const mapped = mapFiles(value, change)
    if (mapped !== value) changed = { ...changed, [field]: mapped }
  }
  return changed
}

/** Changes a tool result. It may consist of parts, some of them with file bytes. */
function mapFiles(value: unknown, change: Change): unknown {
  if (!Array.isArray(value) || !value.every(isPart)) return mapJson(value, change)
  const parts = value.map((part) => mapPart(part, change))
  return parts.some((part, at) => part !== value[at]) ? parts : value
}

function isPart(value: unknown): value is Part {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false
  return typeof value.type === 'string' && Object.hasOwn(FIELDS, value.type)
}
