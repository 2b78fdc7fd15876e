import { isDeepStrictEqual } from 'node:util'
import type { ErrorData } from '@braidwork/plugin'
import type { Asked, Harness, Lacking } from '../harness/index.ts'
import { PluginFault } from '../trial.ts'

/** A behavior that a plugin must have. */
export interface Check {
  /** What a plugin does that passes. */
  readonly name: string
  /** A page of the docs and a place in it. */
  readonly about: string
  /** Whether it can be made of a plugin that is off. The default is false, since a plugin that is off passes most checks. */
  readonly isForAll?: boolean
  /** @throws {PluginFault} if the plugin does something else; {NotJudged} if this cannot be found out */
  readonly run: (harness: Harness) => Promise<void> | void
}

/** Says that a check cannot be made: another check reports why, or there is nothing to check. */
export class NotJudged extends Error {
  override readonly name = 'NotJudged'
}

/** @throws {PluginFault} */
export function fault(message: string): never {
  throw new PluginFault(message)
}

/** @throws {NotJudged} */
export function unjudged(reason: string): never {
  throw new NotJudged(reason)
}

/** The API of the options. @throws {NotJudged} if there is none */
export function apiOf({ api }: Harness): NonNullable<Harness['api']> {
  return api ?? unjudged('pass "api" in the options, a recorded exchange with the model API')
}

/** @throws {NotJudged} if the plugin does not have the hook */
export function needsHook(harness: Harness, hook: string): void {
  if (!harness.has(hook)) unjudged(`the plugin has no "${hook}"`)
}

/** @throws {NotJudged} if the API of a provider does not have this */
export function needs({ options }: Harness, what: Lacking): void {
  if (options.lacks?.includes(what)) unjudged(`the API lacks ${what}`)
}

const CHANGED =
  /not extensible|read.only|cannot (?:delete|redefine|define|assign)|proxy: trap returned false/i

/** Whether a hook failed because it tried to change one of its arguments. */
export function isChange(error: unknown): boolean {
  return CHANGED.test((error as ErrorData | undefined)?.message ?? '')
}

/** The result of a request, if it ended well. Another check reports a request that failed. */
export function done(asked: Asked): Asked {
  if (asked.status === 'done') return asked
  return unjudged(`the request ${asked.status}: ${asked.error?.message}`)
}

/** @throws {PluginFault} with both values, if they differ */
export function same(actual: unknown, expected: unknown, message: string): void {
  if (isDeepStrictEqual(actual, expected)) return
  fault(`${message}\ngot: ${shown(actual)}\nnot: ${shown(expected)}`)
}

export function shown(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 1000)
}

/** All texts in a value, also in JSON within texts, joined by line feeds. */
export function textsIn(value: unknown): string {
  const texts: string[] = []
  gather(value, texts)
  return texts.join('\n')
}

function gather(value: unknown, texts: string[]): void {
  if (typeof value === 'string') {
    texts.push(value)
    const inner = inText(value)
    if (inner !== undefined) gather(inner, texts)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      texts.push(key)
      gather(member, texts)
    }
  }
}

function inText(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}
