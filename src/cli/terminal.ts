import { visibleLine } from './characters.ts'

/** Text styles for an output; no styles if it is not a terminal or NO_COLOR is set (no-color.org). */
export function stylesOf(output: NodeJS.WriteStream) {
  const hasColor = output.isTTY && !process.env['NO_COLOR']
  const style = (open: number, close: number) => (text: string) =>
    hasColor && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text
  return { dim: style(2, 22), bold: style(1, 22), red: style(31, 39), green: style(32, 39) }
}

/** Formats rows as columns, padded to their widest cell. The first row is the head; the last column is not padded. */
export function table(
  rows: readonly (readonly string[])[],
  head: (line: string) => string,
): string {
  const cells = rows.map((row) => row.map(visibleLine))
  const widths = (cells[0] ?? []).map((_, column) =>
    cells.reduce((widest, row) => Math.max(widest, (row[column] ?? '').length), 0),
  )
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return lines.map((line, index) => `${index === 0 ? head(line) : line}\n`).join('')
}

/** Cuts a text to a length, and marks the cut with an ellipsis. */
export function shorten(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`
}
