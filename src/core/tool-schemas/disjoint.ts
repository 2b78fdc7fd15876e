import { isDeepStrictEqual } from 'node:util'
import type { SchemaNode, Shape } from './node.ts'

type Targets = ReadonlyMap<string, SchemaNode>

/** Whether no value can match two of several schemas. False if that cannot be decided. */
export function areDisjoint(nodes: readonly SchemaNode[], targets: Targets): boolean {
  const shapes = nodes.map(({ shape }) => meant(shape, targets))
  return shapes.every((shape, at) =>
    shapes.slice(at + 1).every((other) => isDisjoint(shape, other, targets)),
  )
}

function meant(shape: Shape, targets: Targets): Shape {
  const target = shape.kind === 'reference' ? targets.get(shape.target) : undefined
  return target ? target.shape : shape
}

function isDisjoint(one: Shape, other: Shape, targets: Targets): boolean {
  const values = valuesOf(one) ?? valuesOf(other)
  if (values) {
    const against = valuesOf(one) ? other : one
    return values.every((value) => !mayFit(against, value))
  }
  if (one.kind === 'object' && other.kind === 'object') {
    return [...one.properties].some(([name, property]) => {
      const match = other.properties.get(name)
      if (!match || !property.isRequired || !match.isRequired) return false
      const shapes = [property, match].map(({ node }) => meant(node.shape, targets))
      const [mine, theirs] = shapes as [Shape, Shape]
      const isTold = valuesOf(mine) !== undefined && valuesOf(theirs) !== undefined
      return isTold && isDisjoint(mine, theirs, targets)
    })
  }
  return kindOf(one) !== kindOf(other) && ![one, other].some(({ kind }) => OPEN.has(kind))
}

/** Shapes that do not restrict the type of a value. */
const OPEN = new Set(['any', 'union', 'reference'])

function valuesOf(shape: Shape): readonly unknown[] | undefined {
  return shape.kind === 'values' ? shape.values : undefined
}

function kindOf({ kind }: Shape): string {
  return kind === 'integer' ? 'number' : kind
}

function mayFit(shape: Shape, value: unknown): boolean {
  if (shape.kind === 'values') return shape.values.some((own) => isDeepStrictEqual(own, value))
  if (OPEN.has(shape.kind)) return true
  if (value === null) return shape.kind === 'null'
  if (Array.isArray(value)) return shape.kind === 'array'
  return kindOf(shape) === typeof value
}
