import { pointerOf } from '@braidwork/plugin'
import type { Node } from 'jsonc-parser'
import { type Position, positionAt } from './json-places.ts'

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

/** The first key in the tree of a text that an object has twice: the value of one of them would be lost. */
export function repeatedKeyIn(text: string, root: Node): RepeatedKey | undefined {
  const open: Found[] = [{ node: root, path: [] }]
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
