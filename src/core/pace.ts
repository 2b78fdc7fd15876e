import { setImmediate as immediate } from 'node:timers'

/** Milliseconds of other work that are let in behind a piece of work, at most; at least as long as it took itself. */
const LONGEST_REST = 20
/** Work that took less needs no rest behind it. */
const SHORT = 1

/**
 * Turns of the event loop for large work, one at a time in the whole process, in the order in which they were
 * asked for: between two of them the loop is everybody else's for as long as the one before took.
 */
class Pacer {
  readonly #waiting: (() => void)[] = []
  #isBusy = false

  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#isBusy) return
      this.#isBusy = true
      immediate(this.#next)
    })
  }

  readonly #next = (): void => {
    const begin = this.#waiting.shift()
    this.#isBusy = begin !== undefined
    if (begin === undefined) return
    const began = performance.now()
    begin()
    // What was begun runs as soon as this returns, and is over by the loop's next turn.
    immediate(() => {
      const took = performance.now() - began
      if (took < SHORT || this.#waiting.length === 0) immediate(this.#next)
      else setTimeout(this.#next, Math.min(took, LONGEST_REST))
    })
  }
}

const pacer = new Pacer()

/**
 * Waits for a turn of the event loop that no other large work has. Whoever goes through much asks for one before
 * each piece of work that takes some milliseconds.
 */
export function ownTurn(): Promise<void> {
  return pacer.turn()
}

/** A turn for going through messages and tools, which each hook does; where they are few, at once. */
export async function turnFor(messages: unknown, tools: readonly unknown[] = []): Promise<void> {
  if (isMuch(messages) || hasMany(tools)) await ownTurn()
}

/** Parts from which on a history is much. */
const MANY = 500
/** Values, one in another, from which on tools are. */
const MANY_VALUES = 2000
/** Characters from which on it is. */
const LONG = 256 * 1024

/** Whether going through messages takes so long that others must be let in between. */
function isMuch(messages: unknown): boolean {
  if (typeof messages === 'string') return messages.length > LONG
  if (!Array.isArray(messages)) return false
  let parts = 0
  let length = 0
  for (const message of messages as readonly { readonly parts?: unknown }[]) {
    const own: readonly unknown[] = Array.isArray(message?.parts) ? message.parts : []
    parts += 1 + own.length
    if (parts > MANY) return true
    for (const part of own) length += lengthOf(part)
    if (length > LONG) return true
  }
  return false
}

/** About how many characters a part has, where it says them itself. */
function lengthOf(part: unknown): number {
  if (typeof part !== 'object' || part === null) return 0
  const { text, data, output } = part as { readonly [name: string]: unknown }
  return [text, data, output].reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  )
}

/** Whether values have many others in them, or long texts; no more of them are looked at than it takes to know. */
function hasMany(values: readonly unknown[]): boolean {
  const found: unknown[] = [...values]
  let length = 0
  for (let at = 0; at < found.length; at++) {
    const value = found[at]
    if (typeof value === 'string') length += value.length
    else if (typeof value === 'object' && value !== null) addMembers(value, found)
    if (found.length > MANY_VALUES || length > LONG) return true
  }
  return false
}

function addMembers(value: object, found: unknown[]): void {
  for (const key in value) {
    found.push((value as { readonly [key: string]: unknown })[key])
    if (found.length > MANY_VALUES) return
  }
}
