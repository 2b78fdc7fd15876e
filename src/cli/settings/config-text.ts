import { READING } from '@braidwork/core/internal'
import { isObject } from '@braidwork/plugin'
import { applyEdits, type Edit, type Node, parseTree, visit } from 'jsonc-parser'
import type { Path } from './changes.ts'

const TWO_SPACES = '  '

interface Span {
  readonly offset: number
  readonly end: number
}

/**
 * The text of a config file, with edits that touch nothing else. `modify` of jsonc-parser is not used: it
 * reformats the line that it changes, and deletes a comment before a removed key.
 */
export class ConfigText {
  readonly #text: string
  readonly #root: Node
  readonly #commas: readonly number[]
  readonly #comments: readonly Span[]

  constructor(text: string) {
    const root = parseTree(text, [], READING)
    if (!root) throw new TypeError('The text of a config that was read before is empty.')
    const commas: number[] = []
    const comments: Span[] = []
    visit(
      text,
      {
        onSeparator: (character, offset) => void (character === ',' && commas.push(offset)),
        onComment: (offset, length) => void comments.push({ offset, end: offset + length }),
      },
      READING,
    )
    this.#text = text
    this.#root = root
    this.#commas = commas
    this.#comments = comments
  }

  /** The text with a value set at a key or an index. The parent must exist. */
  with(path: Path, value: unknown): string {
    const node = childAt(this.#root, path)
    if (!node) return this.#inserted(this.#nodeAt(path.slice(0, -1)), value, path.at(-1))
    const { offset, length } = nodeOf(node)
    const content = this.#print(value, this.#isWide(node) ? this.#indentAt(node.offset) : undefined)
    return applyEdits(this.#text, [{ offset, length, content }])
  }

  /** The text with one more item at the end of a list. */
  withItem(path: Path, value: unknown): string {
    return this.#inserted(this.#nodeAt(path), value, undefined)
  }

  /** The text without an item, or without a key (all occurrences of it in its object). */
  without(path: Path): string {
    const node = childAt(this.#root, path)
    if (!node) return this.#text
    const text = applyEdits(this.#text, this.#removal(node))
    // An object may contain the same key twice: remove the other occurrence too.
    return typeof path.at(-1) === 'number' ? text : new ConfigText(text).without(path)
  }

  #nodeAt(path: Path): Node {
    const node = childAt(this.#root, path)
    if (node) return nodeOf(node)
    throw new TypeError(`There is no value at ${JSON.stringify(path)} of the config's text.`)
  }

  #inserted(parent: Node, value: unknown, key: string | number | undefined): string {
    const printed = (indent: string | undefined): string =>
      typeof key === 'string'
        ? `${JSON.stringify(key)}: ${this.#print(value, indent)}`
        : this.#print(value, indent)
    const [last] = parent.children?.slice(-1) ?? []
    const edits = last ? this.#after(last, printed) : this.#into(parent, printed)
    return applyEdits(this.#text, edits)
  }

  /** Inserts the first child of an empty object or list, after any comments in it. */
  #into(parent: Node, printed: (indent: string | undefined) => string): Edit[] {
    const from = parent.offset + 1
    const inner = this.#text.slice(from, parent.offset + parent.length - 1)
    const outer = this.#indentAt(parent.offset)
    const indent = outer + this.#unit
    const kept = inner.trimEnd()
    const isInline = parent.type === 'array' || !this.#text.includes('\n')
    if (kept === '') {
      const content = isInline
        ? printed(undefined)
        : `${this.#newline}${indent}${printed(indent)}${this.#newline}${outer}`
      return [{ offset: from, length: inner.length, content }]
    }
    const isWide = inner.includes('\n')
    const content = isWide
      ? `${this.#newline}${indent}${printed(indent)}`
      : ` ${printed(undefined)}`
    return [{ offset: from + kept.length, length: 0, content }]
  }

  /** Inserts a child after the last one, and after the comment that ends that one's line. */
  #after(last: Node, printed: (indent: string | undefined) => string): Edit[] {
    const end = last.offset + last.length
    const comma = this.#commaAfter(last)
    const at = this.#endOfRemarks(comma === undefined ? end : comma + 1)
    const isWide = this.#isWide(last) || this.#isLineComment(at)
    const indent = this.#indentAt(last.offset)
    const own = isWide ? `${this.#newline}${indent}${printed(indent)}` : ` ${printed(undefined)}`
    if (comma !== undefined) return [{ offset: at, length: 0, content: `${own},` }]
    if (at === end) return [{ offset: at, length: 0, content: `,${own}` }]
    return [
      { offset: end, length: 0, content: ',' },
      { offset: at, length: 0, content: own },
    ]
  }

  #removal(node: Node): Edit[] {
    const { parent, offset, length } = node
    const own = this.#commaAfter(node)
    const siblings = parent?.children ?? []
    const before = siblings[siblings.indexOf(node) - 1]
    const comma = own ?? (before && this.#commaAfter(before))
    const isNext = own !== undefined && this.#isBlank(offset + length, own)
    const { from, to } = this.#withSpaces(offset, isNext ? own + 1 : offset + length)
    const value = { offset: from, length: to - from, content: '' }
    if (comma === undefined || isNext) return [value]
    return [value, { offset: comma, length: 1, content: '' }]
  }

  /** Widens a range to the whitespace that goes with it: the whole line if nothing else is on it. */
  #withSpaces(start: number, end: number): { readonly from: number; readonly to: number } {
    let from = start
    let to = end
    while (isSpace(this.#text[from - 1])) from--
    while (isSpace(this.#text[to])) to++
    const startsLine = from === 0 || this.#text[from - 1] === '\n'
    const [lineEnd = ''] = /^\r?\n/.exec(this.#text.slice(to, to + 2)) ?? []
    if (startsLine && lineEnd !== '') return { from, to: to + lineEnd.length }
    if (startsLine || from === start) return { from: start, to }
    return { from, to: end }
  }

  /** The offset of the comma that follows a child. */
  #commaAfter({ parent, offset, length }: Node): number | undefined {
    const siblings = parent?.children ?? []
    const next = siblings.find((sibling) => sibling.offset > offset)
    const limit = next?.offset ?? (parent ? parent.offset + parent.length : 0)
    return this.#commas.find((comma) => comma >= offset + length && comma < limit)
  }

  /** The offset after the comments that follow on the same line. */
  #endOfRemarks(from: number): number {
    const next = this.#comments.find(({ offset }) => offset >= from)
    if (
      !next ||
      !this.#isBlank(from, next.offset) ||
      this.#text.slice(from, next.end).includes('\n')
    )
      return from
    return this.#endOfRemarks(next.end)
  }

  #isLineComment(end: number): boolean {
    const comment = this.#comments.find((one) => one.end === end)
    return comment !== undefined && this.#text.startsWith('//', comment.offset)
  }

  #isBlank(from: number, to: number): boolean {
    return /^[ \t]*$/.test(this.#text.slice(from, to))
  }

  /** Whether a child begins its line. */
  #isWide({ offset }: Node): boolean {
    return /\n[ \t]*$/.test(this.#text.slice(0, offset))
  }

  /** The whitespace at the beginning of the offset's line. */
  #indentAt(offset: number): string {
    const start = this.#text.lastIndexOf('\n', offset - 1) + 1
    return /^[ \t]*/.exec(this.#text.slice(start))?.[0] ?? ''
  }

  get #newline(): string {
    return this.#text.includes('\r\n') ? '\r\n' : '\n'
  }

  get #unit(): string {
    const [first] = this.#root.children ?? []
    return (first && this.#isWide(first) && this.#indentAt(first.offset)) || TWO_SPACES
  }

  /** JSON over several lines with an indent, or on one line; a list of plain values goes on one line. */
  #print(value: unknown, indent: string | undefined): string {
    if (indent === undefined || isFlat(value)) return inOneLine(value)
    const inner = indent + this.#unit
    const between = `,${this.#newline}${inner}`
    const within = (parts: readonly string[]): string =>
      `${this.#newline}${inner}${parts.join(between)}${this.#newline}${indent}`
    if (Array.isArray(value)) return `[${within(value.map((item) => this.#print(item, inner)))}]`
    const entries = entriesOf(value).map(
      ([key, one]) => `${JSON.stringify(key)}: ${this.#print(one, inner)}`,
    )
    return `{${within(entries)}}`
  }
}

/** Whether a value is printed on one line. */
function isFlat(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => !isObject(item) && !Array.isArray(item))
  return entriesOf(value).length === 0
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value).filter(([, inner]) => inner !== undefined) : []
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const printed = entriesOf(value).map(([key, one]) => `${JSON.stringify(key)}: ${inOneLine(one)}`)
  return printed.length === 0 ? '{}' : `{ ${printed.join(', ')} }`
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}

/** The property or item at a path. If a key occurs twice the last one counts, as in JSON.parse. */
function childAt(root: Node, path: Path): Node | undefined {
  return path.reduce<Node | undefined>((node, key) => {
    const children = (node && nodeOf(node).children) ?? []
    if (typeof key === 'number') return children[key]
    return children.findLast(({ children: pair = [] }) => pair[0]?.value === key)
  }, root)
}

function nodeOf(node: Node): Node {
  return node.type === 'property' ? (node.children?.[1] ?? node) : node
}
