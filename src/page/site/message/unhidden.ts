/**
 * Characters that nobody sees, and marks of text direction, which change the order in which a text is shown. Line breaks
 * and tabs stay, and so do signs of Arabic and Syriac that Unicode counts as formats.
 */
const HIDDEN =
  /[\u115f\u1160\u2028\u2029\u3164\uffa0]|\u034f|\u17b4|\u17b5|[\u180b-\u180d]|\u180f|[\u{e0100}-\u{e01ef}]|(?![\u200d\u200c\n\t\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2])[\p{Cc}\p{Cf}]|(?<=\p{ASCII})[\u200d\u200c]|[\u200d\u200c](?=\p{ASCII})/gu

/**
 * A text with its hidden characters as `<U+202E>`, for what a person decides by: arguments, results, names. Joiners inside
 * emoji and scripts stay.
 */
export function unhidden(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(HIDDEN, sign)
}

function sign(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}
