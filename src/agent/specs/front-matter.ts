import { AGENT_SPEC_SCHEMA } from './agent-spec.ts'

/** The parts of the text of an agent's file. */
export interface FrontMatter {
  /** The YAML between the lines `---`. */
  readonly matter: string
  /** The text below. */
  readonly body: string
  /** The number of the first line `---`. */
  readonly line: number
}

/** A line `---`, the front matter, a line `---`, the text. */
const FRONT_MATTER = /^---[ \t]*\r?\n(?:(.*?)\r?\n)??---[ \t]*(?:\r?\n|$)(.*)$/s

/** The front matter of a text. Blank lines may stand before it. */
export function frontMatterIn(text: string): FrontMatter | undefined {
  const start = firstLineOf(text)
  const found = FRONT_MATTER.exec(text.slice(start))
  if (!found) return undefined
  const [, matter = '', body = ''] = found
  return { matter, body, line: lineAt(text, start) }
}

/** The number of the line in which front matter begins that has no end. */
export function openMatterIn(text: string): number | undefined {
  const start = firstLineOf(text)
  return text.startsWith('---', start) ? lineAt(text, start) : undefined
}

/** Where the first line begins that is not blank. */
function firstLineOf(text: string): number {
  return text.lastIndexOf('\n', Math.max(text.search(/\S/), 0)) + 1
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

const FIELDS: ReadonlySet<string> = new Set(Object.keys(AGENT_SPEC_SCHEMA.properties))
const FENCE = '```'

/**
 * The number of the line in which a text without front matter seems to have some, such as below a comment or a heading:
 * its limits would be lost, and the model would read them. What is in a block of code may be an example.
 */
export function misplacedMatterIn(text: string): number | undefined {
  const lines = text.split('\n').map(bareLine)
  const { first, isFenced } = beginningOf(text, lines)
  const begins = lines[first] ?? ''
  const end = isFenced ? FENCE : '---'
  if (isField(begins) && lines.indexOf(end, first) > 0) return first + 1
  if (begins === '---' && keyOf(lineAfter(lines, first)) !== undefined) return first + 1
  let isCode = isFenced
  for (const [at, line] of lines.entries()) {
    if (at >= first && line.startsWith(FENCE)) isCode = !isCode
    if (!isCode && line === '---' && isField(lineAfter(lines, at))) return at + 1
  }
  return undefined
}

/** The index of the first line after blank lines, comments, and the beginning of a block of code. */
function beginningOf(
  text: string,
  lines: readonly string[],
): { readonly first: number; readonly isFenced: boolean } {
  let offset = 0
  for (;;) {
    while (offset < text.length && isBlank(text[offset] ?? '')) offset++
    if (!text.startsWith('<!--', offset)) break
    const end = text.indexOf('-->', offset)
    if (end < 0) break
    offset = end + '-->'.length
  }
  const at = lineAt(text, offset) - 1
  const isFenced = lines[at]?.startsWith(FENCE) === true
  return { first: isFenced ? at + 1 : at, isFenced }
}

/** The first line below another that is neither blank nor a comment of YAML. */
function lineAfter(lines: readonly string[], at: number): string {
  for (let below = at + 1; below < lines.length; below++) {
    const line = lines[below] ?? ''
    if (line !== '' && !line.startsWith('#')) return line
  }
  return ''
}

function isField(line: string): boolean {
  return FIELDS.has(keyOf(line) ?? '')
}

/** The key with which a line of YAML begins. */
function keyOf(line: string): string | undefined {
  return /^["']?([\w-]+)["']?[ \t]*:/.exec(line)?.[1]
}

/** A line without blanks around it, also without those that have no width. */
function bareLine(line: string): string {
  let from = 0
  let to = line.length
  while (from < to && isBlank(line[from] ?? '')) from++
  while (from < to && isBlank(line[to - 1] ?? '')) to--
  return line.slice(from, to)
}

function isBlank(character: string): boolean {
  return /^[\s\u200B-\u200F\u2060]$/.test(character)
}
