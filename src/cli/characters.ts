/**
 * Characters that steer a terminal, turn text around, or are not seen: all controls (C0, DEL, C1), separators of lines
 * and paragraphs, marks of direction, joiners and spaces of no width, fillers, tags.
 */
const SOURCE =
  '\\p{Cc}\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f' +
  '\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{1bca0}-\\u{1bca3}' +
  '\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}'

const HIDDEN = new RegExp(`[${SOURCE}\\u200c\\u200d]`, 'gu')
/** Between letters of many scripts, and within emoji, joiners of no width belong to the text; beside ASCII they do not. */
const HIDDEN_IN_TEXT = new RegExp(
  `[${SOURCE}]|(?<=[\\x00-\\x7f])[\\u200c\\u200d]|[\\u200c\\u200d](?=[\\x00-\\x7f])`,
  'gu',
)

/** Makes what a terminal would obey or hide visible; lines and tabs stay. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN_IN_TEXT, (character) =>
    character === '\n' || character === '\t' ? character : sign(character),
  )
}

/** The same for a text that must not leave its line. */
export function visibleLine(text: string): string {
  return text.replaceAll(HIDDEN_IN_TEXT, sign)
}

function sign(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}

/** A value as JSON for a program to read, and for a terminal to print: what is hidden is escaped. */
export function jsonText(value: unknown, indent?: number): string {
  return escapedJson(JSON.stringify(value, null, indent))
}

/** JSON with its hidden characters escaped; it means the same. */
export function escapedJson(json: string): string {
  // Between values only line breaks may stand, and within texts no bare one can.
  return json.replaceAll(HIDDEN, (character) =>
    character === '\n'
      ? character
      : [...Array(character.length).keys()].map((at) => unit(character, at)).join(''),
  )
}

function unit(character: string, at: number): string {
  return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
}
