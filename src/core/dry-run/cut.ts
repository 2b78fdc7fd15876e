import type { Change } from './changes.ts'

/** A change as it is told. */
export interface ToldChange extends Change {
  /**
   * The characters of JSON that were left out, if the values were too long. A value that was cut is a text: its
   * beginning, if it was a text, and otherwise the beginning of its JSON.
   */
  readonly leftOut?: number
}

/** The changes of one step, as far as there is room for them. */
export interface ToldChanges {
  readonly changes: readonly ToldChange[]
  /** The number of further changes, if there was no room for all. */
  readonly changesLeftOut?: number
}

/** Cuts changes so that they have about this many characters in all. The first ones have precedence. */
export function cutChanges(all: readonly Change[], most: number): ToldChanges {
  const changes: ToldChange[] = []
  let room = most
  for (const change of all) {
    if (room <= 0) return { changes, changesLeftOut: all.length - changes.length }
    const { told, length } = cutChange(change, room)
    changes.push(told)
    room -= length
  }
  return { changes }
}

interface Cut {
  readonly value: unknown
  /** The characters that are left, and those that are not. */
  readonly length: number
  readonly leftOut: number
}

function cutChange(change: Change, room: number): { readonly told: ToldChange; length: number } {
  const { path } = change
  const names = (['before', 'after'] as const).filter((name) => Object.hasOwn(change, name))
  const cuts = names.map((name) => cutValue(change[name], Math.ceil(room / names.length)))
  const leftOut = sumOf(cuts.map((cut) => cut.leftOut))
  const values = Object.fromEntries(names.map((name, at) => [name, cuts[at]?.value]))
  return {
    told: { path, ...values, ...(leftOut > 0 ? { leftOut } : {}) },
    length: path.length + sumOf(cuts.map((cut) => cut.length)),
  }
}

function cutValue(value: unknown, most: number): Cut {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  if (text.length <= most) return { value, length: text.length, leftOut: 0 }
  return { value: text.slice(0, most), length: most, leftOut: text.length - most }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
