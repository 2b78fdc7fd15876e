/**
 * Characters that people do not see, but models read: controls except for line break and tab, formats such as marks of
 * text direction, characters without width, and tags. Signs of Arabic and Syriac that Unicode counts as formats are seen.
 */
const INVISIBLE =
  /[\u{e0100}-\u{e01ef}]|(?![\n\t\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2])[\p{Cc}\p{Cf}\p{Cs}\u115f\u1160\u2028\u2029\u3164]/gu

/** Makes invisible characters of a foreign text visible, each as `<U+200B>`. */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(INVISIBLE, (character) => `<U+${hexOf(character)}>`)
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}

/** Makes a foreign text visible, and cuts it to a number of characters. */
export function visibleCut(text: string, most: number): string {
  // Cut first: a text of many megabytes is not searched as a whole.
  const shown = visible(text.slice(0, most))
  return text.length > most
    ? `${shown}… (${text.length - most} more characters are left out)`
    : shown
}

/** A foreign text in one line, for names in errors and logs. */
export function oneLine(text: string, most = 300): string {
  return visibleCut(text.slice(0, most + 1), most)
    .replaceAll(/\s+/g, ' ')
    .trim()
}
