import type { JsonObject } from '@braidwork/plugin'

/** A schema as the formats of model APIs see it: one shape, and what is said of it. */
export interface SchemaNode {
  /** Where it stands in the tool's own schema. */
  readonly pointer: string
  readonly shape: Shape
  /** What describes without deciding: title, description, default, examples. */
  readonly words: JsonObject
  /** Bounds of a text, a number or a list, by their keywords. */
  readonly bounds: JsonObject
  /** What holds besides, and no format has a place for. */
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
  /** Whether other members are refused, not spoken of, or what the object is for. */
  readonly others: 'refused' | 'unsaid' | 'wanted'
}

export interface Property {
  readonly node: SchemaNode
  readonly isRequired: boolean
}

/** A whole schema: its root, and what its references stand for. */
export interface SchemaTree {
  readonly root: SchemaNode
  readonly targets: ReadonlyMap<string, SchemaNode>
}

/** Whether a node, its references followed, takes null. */
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

/** A node without words and bounds. */
export function nodeOf(
  pointer: string,
  shape: Shape,
  besides: readonly Keyword[] = [],
): SchemaNode {
  return { pointer, shape: simplest(shape), words: {}, bounds: {}, besides }
}

/** A union without what is never, and without being one where a branch takes anything. */
export function simplest(shape: Shape): Shape {
  if (shape.kind !== 'union') return shape
  if (shape.branches.length === 0) return { kind: 'never' }
  const isAny = shape.branches.some((one) => one.shape.kind === 'any' && one.besides.length === 0)
  return isAny ? { kind: 'any' } : shape
}

/** The branches of a union as those of the one around it; none of what is never. */
export function flatBranches(node: SchemaNode): readonly SchemaNode[] {
  if (node.shape.kind === 'never') return []
  const isBare = Object.keys(node.words).length === 0
  return node.shape.kind === 'union' && isBare ? node.shape.branches : [node]
}
