import { isObject, type Part } from '@braidwork/plugin'

/** The deepest nesting in which repetitions are looked for; the host refuses deeper values anyway. */
const DEEPEST = 200
/** Keys that only say of which kind a medium is, and where it comes from. */
const DESCRIBING = new Set(['type', 'mimeType', 'uri', 'annotations', '_meta'])

/**
 * Structured content without the media that the content blocks have too: as base64 they would be texts of megabytes.
 * Undefined if nothing is left that the blocks do not say.
 */
export function withoutRepeated(structured: unknown, parts: readonly Part[]): unknown {
  const media = new Set(parts.flatMap((part) => (part.type === 'file' ? (part.data ?? []) : [])))
  media.delete('')
  if (media.size === 0) return structured
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const isOver = without(structured, new Set([...media, ...texts])) === undefined
  return isOver ? undefined : without(structured, media)
}

/** A value without some texts, and without the lists and objects of which nothing else is left. */
function without(value: unknown, texts: ReadonlySet<string>, depth = 0): unknown {
  if (typeof value === 'string') return texts.has(encodedIn(value)) ? undefined : value
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return value
  const all = Object.entries(value)
  const left = all.flatMap(([key, inner]): readonly [string, unknown][] => {
    const kept = without(inner, texts, depth + 1)
    return kept === undefined ? [] : [[key, kept]]
  })
  if (left.length < all.length && left.every(([key]) => DESCRIBING.has(key))) return undefined
  return isObject(value) ? Object.fromEntries(left) : left.map(([, kept]) => kept)
}

/** The base64 of a data URL. Any other text stays as it is. RFC 2397 */
function encodedIn(text: string): string {
  const mark = ';base64,'
  const at = text.startsWith('data:') ? text.slice(0, 1_000).indexOf(mark) : -1
  return at < 0 ? text : text.slice(at + mark.length)
}
