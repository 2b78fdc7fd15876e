/** Control characters, and the marks that turn text around. */
const CONTROL = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Makes control sequences of models, tools and plugins visible instead of letting a terminal obey them. */
export function visible(text: string): string {
  return text.replaceAll(CONTROL, (character) => {
    const code = character.charCodeAt(0)
    if (character === '\n' || character === '\t') return character
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
  })
}

/** Styles for one output: none where it is no terminal, or NO_COLOR is set (no-color.org). */
export function stylesOf(output: NodeJS.WriteStream) {
  const hasColor = output.isTTY && !process.env['NO_COLOR']
  const style = (open: number, close: number) => (text: string) =>
    hasColor && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text
  return { dim: style(2, 22), bold: style(1, 22), red: style(31, 39), green: style(32, 39) }
}

/** Rows in columns, padded to their widest cell, the first row as the head; the last column is left ragged. */
export function table(
  rows: readonly (readonly string[])[],
  head: (line: string) => string,
): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  const lines = rows.map((row) =>
    row
      .map((cell, column) => visible(cell).padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return lines.map((line, index) => `${index === 0 ? head(line) : line}\n`).join('')
}

/** Cuts a text to a length, with a mark where something is gone. */
export function shorten(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`
}
