import { type MemberSort, meantBy } from '@braidwork/core/internal'
import { type HookName, HostError, type Kind, VALUES, type ValueName } from '@braidwork/plugin'
import { TABLES } from './hook-tables.ts'

/** Where a hook runs: `inline` on Python's main thread, which it blocks; the other modes do not block it. */
export type Mode = 'inline' | 'thread' | 'async'

/** The Python side's description of a plugin. */
export interface Description {
  /** The plugin's number in the interpreter that loaded it. */
  readonly plugin: number
  readonly kind: Kind
  readonly name: string
  readonly values: { readonly [value: string]: unknown }
  readonly hooks: { readonly [H in HookName]?: { readonly context: boolean; readonly mode: Mode } }
  /** Other public members of the plugin's own. */
  readonly others: { readonly [name: string]: MemberSort }
}

/** @throws {HostError} PLUGIN_INVALID if a member's name is a misspelled one of a hook or value */
export function assertNames(description: Description): void {
  const { kind, name, others } = description
  const missing = missingNames(description)
  for (const [member, sort] of Object.entries(others)) {
    const meant = meantBy(member, sort, missing)
    if (meant === undefined) continue
    const what = sort === 'function' ? 'a hook' : 'one that the host reads'
    throw new HostError(
      'PLUGIN_INVALID',
      `${kind} "${name}" has a member "${member}", which is not ${what}. Did you mean "${meant}"?`,
      { plugin: name },
    )
  }
}

function missingNames({ kind, hooks, values }: Description) {
  const own = Object.keys(VALUES) as ValueName[]
  const missing = own.filter(
    (value) => VALUES[value].kinds.some((one) => one === kind) && !(value in values),
  )
  const lists = missing.filter((value) => VALUES[value].type === 'strings')
  // In Python, a tool may list functions in place of hooks.
  const functions = kind === 'tool' && !hooks.getToolSchemas ? ['functions'] : []
  return {
    hooks: Object.entries(TABLES.hooks).flatMap(([hook, { names, args }]) =>
      kind in args && !(hook in hooks) ? names : [],
    ),
    values: [...missing.map((value) => VALUES[value].python), ...functions],
    lists: [...lists.map((value) => VALUES[value].python), ...functions],
  }
}
