import { didYouMean, nearest } from '@braidwork/core/internal'
import { type HookName, HostError, type Kind } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { TABLES } from './hook-tables.ts'
import { PythonError } from './python-error.ts'

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
  /** Other public members; true for functions. */
  readonly others: { readonly [name: string]: boolean }
}

const HOOK_NAMES = Object.values(TABLES.hooks).flatMap(({ names }) => names)
const VALUE_NAMES = Object.values(TABLES.values)
/** In Python, a tool may list functions in place of hooks. */
const TOOL_VALUE_NAMES = [...VALUE_NAMES, 'functions']

/** @throws {HostError} PLUGIN_INVALID if a member's name is almost the name of a hook or value */
export function assertNames({ kind, name, others }: Description): void {
  for (const [member, isFunction] of Object.entries(others)) {
    const values = kind === 'tool' ? TOOL_VALUE_NAMES : VALUE_NAMES
    const known = isFunction ? [...HOOK_NAMES, ...values] : values
    if (nearest(member, known) === undefined) continue
    throw new HostError(
      'PLUGIN_INVALID',
      `${kind} "${name}" has a member "${member}", which is not ${isFunction ? 'a hook' : 'one that the host reads'}.${didYouMean(member, known)}`,
      { plugin: name },
    )
  }
}

const MODULE_MISSING = /^No module named '([^']+)'/

/** The error for a module that cannot be loaded, with advice. */
export function loadError(thrown: unknown, folder: string): HostError {
  if (!(thrown instanceof PythonError)) {
    return HostError.is(thrown)
      ? thrown
      : new HostError('PLUGIN_INVALID', messageOf(thrown), { cause: thrown })
  }
  const isMissing = MODULE_MISSING.test(thrown.message.replace('ModuleNotFoundError: ', ''))
  const hint = isMissing
    ? `. Name it in "dependencies" of the pyproject.toml of "${folder}", and run: braidwork plugins add`
    : ''
  return new HostError('PLUGIN_INVALID', `${thrown.message}${hint}`, { cause: thrown })
}
