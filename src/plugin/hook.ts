import type { Kind } from './kinds.ts'

/** The shape that a hook's answer must have. `answers.ts` checks it. */
export type AnswerShape =
  | 'ids'
  | 'object'
  | 'verdict'
  | 'list'
  | 'native'
  | 'native-state'
  | 'step'
  | 'finals'
  | 'chunks'
  | 'any'

/** The limit that applies when a hook answers with a promise. */
export type HookLimit = 'hook' | 'process_chunk' | 'execute_tool' | 'call'

export interface Hook {
  readonly kinds: readonly Kind[]
  /** Its names in Python, the preferred one first. */
  readonly python: readonly [string, ...string[]]
  /** Its arguments in order, as the documentation shows them. Hooks of a request also receive `context`, last. */
  readonly args: { readonly [K in Kind]?: string } | string
  readonly answer: AnswerShape
  readonly limit: HookLimit
  /**
   * How the plugins' answers combine: `each` asks every plugin separately, `fold` passes a value from one plugin to
   * the next, and `one` asks a single plugin.
   */
  readonly flow: 'each' | 'fold' | 'one'
  /** One or two sentences: when the hook runs, and its purpose. */
  readonly about: string
}
