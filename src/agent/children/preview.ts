/** The most graphemes of a preview. AL-11 */
const LONGEST = 200
/** No grapheme of a text that people write is longer. */
const MOST_UNITS = 64

/** The beginning of a text for lists and events: at most 200 graphemes, then `...`. AL-11 */
export function preview(text: string, longest = LONGEST): string {
  // The segmenter is slow for long texts, and only their beginning matters.
  const beginning = text.slice(0, (longest + 1) * MOST_UNITS)
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(beginning)
  let count = 0
  for (const { index } of graphemes) if (count++ === longest) return `${text.slice(0, index)}...`
  return beginning.length < text.length ? `${beginning}...` : text
}
