/** Places in texts of JSON with comments and trailing commas. */
import { pointerOf } from '@braidwork/plugin'
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'

/** A place in a file. Lines and columns count from 1, as in editors. */
export interface Position {
  readonly line: number
  readonly column: number
}

export const READING = { allowTrailingComma: true, disallowComments: false }

/** The position of a value in a file's text. If the value is not there, that of its nearest existing parent. */
export function positionOf(text: string, pointer: string): Position | undefined {
  const root = parseTree(text, [], READING)
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  for (let length = keys.length; root && length >= 0; length--) {
    const node = findNodeAtLocation(root, keys.slice(0, length).map(segmentOf))
    // For a property, the position of its key is more helpful than that of its value.
    if (node)
      return positionAt(text, (node.parent?.type === 'property' ? node.parent : node).offset)
  }
  return undefined
}

/** A place as `file:line:column`, or only the file if the position is unknown. */
export function placeOf(path: string, position: Position | undefined): string {
  return position ? `${path}:${position.line}:${position.column}` : path
}

function segmentOf(key: string): string | number {
  return /^(?:0|[1-9]\d*)$/.test(key) ? Number(key) : key
}

export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** A key that an object has a second time. */
export interface RepeatedKey {
  readonly pointer: string
  readonly position: Position
  /** The line of the first one. */
  readonly firstLine: number
}

interface Found {
  readonly node: Node
  readonly path: readonly (string | number)[]
}

/** The first key of a text that an object has twice: the value of one of them would be lost. */
export function repeatedKeyIn(
  text: string,
  root = parseTree(text, [], READING),
): RepeatedKey | undefined {
  const open: Found[] = root ? [{ node: root, path: [] }] : []
  for (let one = open.pop(); one; one = open.pop()) {
    const repeated = repeatedIn(one, text)
    if (repeated) return repeated
    open.push(...below(one).toReversed())
  }
  return undefined
}

function repeatedIn({ node, path }: Found, text: string): RepeatedKey | undefined {
  if (node.type !== 'object') return undefined
  const offsets = new Map<string, number>()
  for (const { offset, children = [] } of node.children ?? []) {
    const key = String(children[0]?.value)
    const first = offsets.get(key)
    if (first !== undefined) {
      const position = positionAt(text, offset)
      const { line: firstLine } = positionAt(text, first)
      return { pointer: pointerOf([...path, key]), position, firstLine }
    }
    offsets.set(key, offset)
  }
  return undefined
}

/** The objects and lists in another one. */
function below({ node, path }: Found): readonly Found[] {
  return (node.children ?? []).flatMap((child, at) => {
    const [key, value] = child.type === 'property' ? (child.children ?? []) : [undefined, child]
    return value?.children ? { node: value, path: [...path, key ? String(key.value) : at] } : []
  })
}

/** The fault of a key that is there twice, as a part of a sentence. */
export function repeatedText({ pointer, firstLine }: RepeatedKey): string {
  return `"${pointer}" is there twice, the first time in line ${firstLine}; remove one of them`
}
