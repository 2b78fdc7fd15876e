/**
 * Characters that people do not see, but models read: controls, marks of text direction, characters without width, tags.
 * Line breaks and tabs stay, and so do joiners inside emoji and scripts, and signs of Arabic and Syriac.
 */
const INVISIBLE =
  /[\u115f\u1160\u2028\u2029\u3164\uffa0]|\u034f|[\u{e0100}-\u{e01ef}]|(?![\u200d\u200c\n\t\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2])[\p{Cc}\p{Cf}\p{Cs}]|(?<=\p{ASCII})[\u200d\u200c]|[\u200d\u200c](?=\p{ASCII})/gu

/** Makes invisible characters of a page visible, each as `<U+200B>`. Soft hyphens, which only say where a word may break, go. */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\u00ad', '')
    .replaceAll(INVISIBLE, (character) => `<U+${hexOf(character)}>`)
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
