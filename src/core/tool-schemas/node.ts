import type { JsonObject } from '@braidwork/plugin'

/** A schema in the form from which model API formats are made: a shape, with descriptions and bounds. */
export interface SchemaNode {
  /** JSON pointer into the tool's own schema. */
  readonly pointer: string
  readonly shape: Shape
  /** Keywords that only describe: title, description, default, examples. */
  readonly words: JsonObject
  /** The bounds of a text, number or list, by keyword. */
  readonly bounds: JsonObject
  /** Further conditions, for which no format has a keyword. */
  readonly besides: readonly Keyword[]
}

export interface Keyword {
  readonly keyword: string
  readonly value: unknown
}

export type Shape =
  | { readonly kind: 'any' | 'never' | 'string' | 'number' | 'integer' | 'boolean' | 'null' }
  | { readonly kind: 'values'; readonly values: readonly unknown[] }
  | { readonly kind: 'reference'; readonly target: string }
  | { readonly kind: 'union'; readonly branches: readonly SchemaNode[] }
  | { readonly kind: 'array'; readonly items: SchemaNode }
  | ObjectShape

export interface ObjectShape {
  readonly kind: 'object'
  readonly properties: ReadonlyMap<string, Property>
  /** Other members are forbidden (`refused`), not mentioned (`unsaid`), or the purpose of the object (`wanted`). */
  readonly others: 'refused' | 'unsaid' | 'wanted'
}

export interface Property {
  readonly node: SchemaNode
  readonly isRequired: boolean
}

/** A whole schema: its root, and the targets of its references. */
export interface SchemaTree {
  readonly root: SchemaNode
  readonly targets: ReadonlyMap<string, SchemaNode>
}

/** Whether a node, after following its references, allows null. */
export function takesNull(
  { shape }: SchemaNode,
  { targets }: Pick<SchemaTree, 'targets'>,
): boolean {
  const open = new Set<string>()
  const takes = (given: Shape): boolean => {
    if (given.kind === 'values') return given.values.includes(null)
    if (given.kind === 'union') return given.branches.some((branch) => takes(branch.shape))
    if (given.kind !== 'reference') return given.kind === 'any' || given.kind === 'null'
    const target = targets.get(given.target)
    if (!target || open.has(given.target)) return false
    open.add(given.target)
    return takes(target.shape)
  }
  return takes(shape)
}

/** A node without descriptions and bounds. */
export function nodeOf(
  pointer: string,
  shape: Shape,
  besides: readonly Keyword[] = [],
): SchemaNode {
  return { pointer, shape: simplest(shape), words: {}, bounds: {}, besides }
}

/** Simplifies a union: without branches that never match, and `any` if one branch matches any value. */
export function simplest(shape: Shape): Shape {
  if (shape.kind !== 'union') return shape
  if (shape.branches.length === 0) return { kind: 'never' }
  const isAny = shape.branches.some((one) => one.shape.kind === 'any' && one.besides.length === 0)
  return isAny ? { kind: 'any' } : shape
}

/** The branches of a union within a union, to be moved up into the outer one. None if the node never matches. */
export function flatBranches(node: SchemaNode): readonly SchemaNode[] {
  if (node.shape.kind === 'never') return []
  const isBare = Object.keys(node.words).length === 0
  return node.shape.kind === 'union' && isBare ? node.shape.branches : [node]
}
