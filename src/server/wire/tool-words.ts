import { createHash } from 'node:crypto'
import { isObject } from '@braidwork/plugin'

/** How a client names its own tool, where the model is shown the tool in another way. */
export interface ToolWord {
  readonly name: string
  /** The group that the tool is a part of. */
  readonly namespace?: string
  /** Whether the tool takes one text. The model is shown a function with the argument `input`. */
  readonly isCustom?: true
}

/** The words of a client's tools, by the names that the model uses. */
export type ToolWords = { readonly [name: string]: ToolWord }

const LONGEST = 64
const HASH = 8

/**
 * Returns the name that the model is shown for a tool of a namespace. It is the same in each request, so that a history
 * fits. A name that model APIs would refuse for its length ends with a hash.
 */
export function flatName(namespace: string | undefined, name: string): string {
  if (namespace === undefined) return name
  const joint = namespace.endsWith('__') ? '' : '__'
  const flat = `${namespace}${joint}${name}`.replaceAll(/[^A-Za-z0-9_-]/g, '_')
  if (flat.length <= LONGEST) return flat
  const hash = createHash('sha256')
    .update(JSON.stringify([namespace, name]))
    .digest('hex')
  return `${flat.slice(0, LONGEST - HASH - 1)}_${hash.slice(0, HASH)}`
}

/** Returns the arguments of a call of a custom tool, as the model is shown it. */
export function customArguments(input: string): { readonly input: string } {
  return { input }
}

/** Returns the text that a custom tool gets from the arguments that the model wrote. */
export function customInput(given: unknown): string {
  const input = typeof given === 'string' ? parsed(given) : given
  if (isObject(input) && typeof input['input'] === 'string') return input['input']
  return typeof given === 'string' ? given : (JSON.stringify(given) ?? '')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
