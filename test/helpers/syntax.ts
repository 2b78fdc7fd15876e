/** A node of the syntax tree that oxc-parser makes, as ESTree has it. */
export type Node = {
  readonly [key: string]: unknown
  readonly type: string
  readonly start: number
}

/** Visits a node and all nodes within it, in the order of the source. */
export function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) walk(item, visit)
  else if (typeof value === 'object' && value !== null) {
    if ('type' in value && 'start' in value) visit(value as Node)
    for (const inner of Object.values(value)) walk(inner, visit)
  }
}
