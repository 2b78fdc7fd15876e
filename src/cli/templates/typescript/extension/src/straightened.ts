import { isMessage, type Message, type PartialEvent } from '@braidwork/plugin'

const DOUBLE: { readonly [quote: string]: string } = { '“': '"', '”': '"' }
const ALL: { readonly [quote: string]: string } = { ...DOUBLE, '‘': "'", '’': "'" }

/** Replaces single characters only. So the result is the same wherever a stream cuts the text. */
function straighten(text: string, hasApostrophes: boolean): string {
  const straight = hasApostrophes ? ALL : DOUBLE
  return text.replace(/[“”‘’]/g, (quote) => straight[quote] ?? quote)
}

/** An event or a message of an answer with straight quotes, and, if wanted, straight apostrophes. */
export function straightened(
  item: Message | PartialEvent,
  hasApostrophes: boolean,
): Message | PartialEvent {
  if (isMessage(item)) {
    const parts = item.parts.map((part) =>
      part.type === 'text' ? { ...part, text: straighten(part.text, hasApostrophes) } : part,
    )
    return { ...item, parts }
  }
  if (item.type !== 'text-delta') return item
  return { ...item, delta: straighten(item.delta, hasApostrophes) }
}
