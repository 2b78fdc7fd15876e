import type { Fault } from './errors.ts'

/** Faults by the names of fields; `__errors` has those of the field itself. */
export interface FaultTree {
  readonly __errors?: readonly string[]
  readonly [name: string]: FaultTree | readonly string[] | undefined
}

/** Faults with pointers, as a form takes them. */
export function faultTree(faults: readonly Fault[]): FaultTree {
  return treeOf(faults.map(({ pointer, message }) => ({ keys: keysOf(pointer), message })))
}

interface Placed {
  readonly keys: readonly string[]
  readonly message: string
}

function treeOf(faults: readonly Placed[]): FaultTree {
  const own = faults.filter(({ keys }) => keys.length === 0).map(({ message }) => message)
  const names = new Set(faults.flatMap(({ keys }) => keys.slice(0, 1)))
  const below = [...names].map((name) => {
    const inside = faults.filter(({ keys }) => keys[0] === name)
    return [name, treeOf(inside.map(({ keys, ...rest }) => ({ ...rest, keys: keys.slice(1) })))]
  })
  return { ...(own.length > 0 ? { __errors: own } : {}), ...Object.fromEntries(below) }
}

/** RFC 6901 */
function keysOf(pointer: string): readonly string[] {
  const keys = pointer.split('/').slice(1)
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}
