/**
 * Characters that control a terminal, change text direction, or are invisible: all control characters (C0, DEL, C1),
 * line and paragraph separators, direction marks, zero-width joiners and spaces, fillers, tags.
 */
const SOURCE =
  '\\p{Cc}\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f' +
  '\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{1bca0}-\\u{1bca3}' +
  '\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}'

const HIDDEN = new RegExp(`[${SOURCE}\\u200c\\u200d]`, 'gu')
/** Zero-width joiners are part of the text inside emoji and many scripts, but not next to ASCII characters. */
const HIDDEN_IN_TEXT = new RegExp(
  `[${SOURCE}]|(?<=[\\x00-\\x7f])[\\u200c\\u200d]|[\\u200c\\u200d](?=[\\x00-\\x7f])`,
  'gu',
)

/** Escapes characters that a terminal would obey or hide. Line breaks and tabs stay. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN_IN_TEXT, (character) =>
    character === '\n' || character === '\t' ? character : sign(character),
  )
}

/** Like {@link visible}, but also escapes line breaks and tabs, so that the text stays on one line. */
export function visibleLine(text: string): string {
  return text.replaceAll(HIDDEN_IN_TEXT, sign)
}

function sign(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}

/** A value as JSON, with hidden characters escaped: safe to print on a terminal and to parse with a program. */
export function jsonText(value: unknown, indent?: number): string {
  return escapedJson(JSON.stringify(value, null, indent))
}

/** Escapes the hidden characters in JSON text. The parsed value stays the same. */
export function escapedJson(json: string): string {
  // Raw line breaks occur only between JSON values, never inside a JSON string, so they can stay.
  return json.replaceAll(HIDDEN, (character) =>
    character === '\n'
      ? character
      : [...Array(character.length).keys()].map((at) => unit(character, at)).join(''),
  )
}

function unit(character: string, at: number): string {
  return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
}
