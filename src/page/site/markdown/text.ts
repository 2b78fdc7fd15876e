/** Controls that nobody sees, and characters that change the order in which text is shown. */
const HIDDEN = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu

/** A text with its hidden characters visible, as U+FFFD, so that it says what it shows. */
export function visible(text: string): string {
  return text.replace(HIDDEN, '\ufffd')
}

/** What follows in a text after `before`, with `\n` as its only line end. Pieces give what the whole text gives. */
export function cleaned(text: string, before = ''): string {
  const isRestOfEnd = before.endsWith('\r') && text.startsWith('\n')
  return visible((isRestOfEnd ? text.slice(1) : text).replace(/\r\n?/g, '\n'))
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
  ['ensp', '\u2002'],
  ['emsp', '\u2003'],
  ['thinsp', '\u2009'],
  ['ndash', '–'],
  ['mdash', '—'],
  ['hellip', '…'],
  ['bull', '•'],
  ['middot', '·'],
  ['times', '×'],
  ['rarr', '→'],
  ['larr', '←'],
  ['copy', '©'],
  ['reg', '®'],
  ['trade', '™'],
  ['euro', '€'],
  ['deg', '°'],
])

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,8}));/g

/** A text with the characters that it names, such as `&amp;`. A name that is not known stays. */
export function withCharacters(text: string): string {
  if (!text.includes('&')) return visible(text)
  const named = text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name) ?? whole
    return characterOf(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal))
  })
  return visible(named)
}

function characterOf(code: number): string {
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : '\ufffd'
}
