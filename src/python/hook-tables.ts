import { HOOKS, type Hook, type HookName, KINDS, type Kind, VALUES } from '@braidwork/plugin'
import type { PluginValue } from '@braidwork/plugin/internal'

/** How each argument or part of a result is transferred, one letter each. The Python side uses the same letters. */
type Codes = { readonly [K in Kind]?: string }

export interface HookTable {
  readonly names: readonly string[]
  readonly args: Codes
  readonly gives: Codes
}

/** The data on hooks and values that the Python side needs. */
export interface Tables {
  /** Hooks, and values that may also be functions with arguments. */
  readonly hooks: { readonly [hook: string]: HookTable }
  readonly values: { readonly [value: string]: string }
}

const ARGUMENT_CODES: { readonly [argument: string]: string } = {
  native: 'n',
  state: 's',
  tags: 't',
  config: 'f',
  context: 'c',
}

const ANSWER_CODES: { readonly [shape: string]: string } = {
  ids: 'i',
  native: 'n',
  'native-state': 'ns',
  step: 'vvns',
  finals: 'vns',
}

/** The hook that the Python side adds to a plugin whose class of settings may refuse some; no plugin has it itself. */
export const CHECK_SETTINGS = 'checkSettings'
const CHECKING: Crossing = { kinds: KINDS, python: [], args: 'settings', answer: 'any' }

/** Derived from HOOKS and VALUES. */
export const TABLES: Tables = {
  hooks: Object.fromEntries(
    [...Object.entries(HOOKS), ...askedValues(), [CHECK_SETTINGS, CHECKING] as const].map(
      ([name, hook]) => [name, tableOf(name, hook)],
    ),
  ),
  values: Object.fromEntries(Object.entries(VALUES).map(([name, { python }]) => [name, python])),
}

function askedValues(): readonly (readonly [name: string, value: Crossing])[] {
  const values: readonly [string, PluginValue][] = Object.entries(VALUES)
  return values.flatMap(([name, { kinds, python, args }]) =>
    args === undefined ? [] : [[name, { kinds, python: [python], args, answer: 'any' }] as const],
  )
}

/** The codes of a hook's arguments. */
export function argumentsOf(hook: HookName, kind: Kind): string {
  return TABLES.hooks[hook]?.args[kind] ?? ''
}

/** The codes of a hook's result. */
export function givesOf(hook: HookName, kind: Kind): string {
  return TABLES.hooks[hook]?.gives[kind] ?? ''
}

type Crossing = Pick<Hook, 'args' | 'answer' | 'kinds'> & { readonly python: readonly string[] }

function tableOf(name: string, { python, args, answer, kinds }: Crossing): HookTable {
  const own = KINDS.filter((kind) => kinds.includes(kind))
  const gives = name === 'init' ? 's' : (ANSWER_CODES[answer] ?? '')
  const textOf = (kind: Kind) => (typeof args === 'string' ? args : (args[kind] ?? ''))
  return {
    names: python,
    args: Object.fromEntries(own.map((kind) => [kind, codesOf(textOf(kind))])),
    gives: Object.fromEntries(own.map((kind) => [kind, gives])),
  }
}

/** `native, state` → `ns`; a list of several objects is one item. */
function codesOf(text: string): string {
  const names = text.replaceAll(/\{[^{}]*\}/g, 'ui').split(',')
  const given = names.map((name) => name.trim()).filter((name) => name !== '')
  return given.map((name) => (name === 'ui' ? 'u' : (ARGUMENT_CODES[name] ?? 'v'))).join('')
}
