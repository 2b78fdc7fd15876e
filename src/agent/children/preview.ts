/** The most graphemes of a preview. AL-11 */
const LONGEST = 200
/** No grapheme of a text that people write is longer. */
const MOST_UNITS = 64

const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The beginning of a text for lists and events: at most 200 graphemes, then `...`. AL-11 */
export function preview(text: string, longest = LONGEST): string {
  // A text has no more graphemes than units.
  if (text.length <= longest) return text
  // The segmenter is slow for long texts, and only their beginning matters.
  const beginning = text.slice(0, (longest + 1) * MOST_UNITS)
  let count = 0
  for (const { index } of SEGMENTER.segment(beginning))
    if (count++ === longest) return `${text.slice(0, index)}...`
  return beginning.length < text.length ? `${beginning}...` : text
}
