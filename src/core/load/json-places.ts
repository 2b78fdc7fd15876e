import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { pointerPath } from '../config/index.ts'

/** A place in a file. Lines and columns count from 1, as in editors. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** How the parser reads texts of JSON with comments and trailing commas. */
export const READING = { allowTrailingComma: true, disallowComments: false }

/** The position of a value in a file's text. If the value is not there, that of its nearest existing parent. */
export function positionOf(text: string, pointer: string): Position | undefined {
  const root = parseTree(text, [], READING)
  const keys = pointerPath(pointer)
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
