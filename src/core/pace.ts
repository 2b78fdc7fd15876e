import { setImmediate as immediate } from 'node:timers'

/** The longest pause in milliseconds after a piece of work. The pause lasts as long as the work did, up to this. */
const LONGEST_REST = 20
/** Work that took fewer milliseconds than this needs no pause. */
const SHORT = 1

/**
 * Schedules large work in pieces, so that it does not block the event loop. Only one piece runs at a time in the whole
 * process, in the order of request. After a piece, the loop is free for other work for as long as the piece took.
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
    // The work runs as soon as this function returns, and has finished by the loop's next turn.
    immediate(() => {
      const took = performance.now() - began
      if (took < SHORT || this.#waiting.length === 0) immediate(this.#next)
      else setTimeout(this.#next, Math.min(took, LONGEST_REST))
    })
  }
}

const pacer = new Pacer()

/** The most requests that begin in one turn of the event loop. */
const MOST_BEGINNINGS = 16

/** Lets requests begin in their order, a few in each turn of the event loop. */
class Beginnings {
  readonly #waiting: (() => void)[] = []
  #left = MOST_BEGINNINGS
  #isScheduled = false

  turn(): undefined | Promise<void> {
    if (!this.#isScheduled) immediate(this.#next)
    this.#isScheduled = true
    if (this.#left === 0) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#left--
    return undefined
  }

  readonly #next = (): void => {
    const beginning = this.#waiting.splice(0, MOST_BEGINNINGS)
    this.#left = MOST_BEGINNINGS - beginning.length
    this.#isScheduled = beginning.length > 0
    if (this.#isScheduled) immediate(this.#next)
    for (const begin of beginning) begin()
  }
}

const beginnings = new Beginnings()

/**
 * Waits before a request begins, if many came in this turn of the event loop. Together they would block it, and V8
 * would take the short-lived objects of all of them for long-lived ones.
 */
export function turnToBegin(): undefined | Promise<void> {
  return beginnings.turn()
}

/**
 * Waits for a turn of the event loop in which no other large work runs. Call it before each piece of work that takes
 * some milliseconds.
 */
export function ownTurn(): Promise<void> {
  return pacer.turn()
}

/**
 * Waits for a turn before a hook goes through messages and tools. If they are few, there is no wait and no promise: a
 * request calls this several times.
 */
export function turnFor(
  messages: unknown,
  tools: readonly unknown[] = [],
): undefined | Promise<void> {
  return isMuch(messages) || hasMany(tools) ? ownTurn() : undefined
}

/** A history with this many parts or more is large. */
const MANY = 500
/** Tools with this many nested values or more are large. */
const MANY_VALUES = 2000
/** Texts with this many characters or more in total are large. */
const LONG = 256 * 1024

/** Whether going through the messages takes so long that other work must run first. */
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

/** The approximate number of characters of a part, without looking into nested values. */
function lengthOf(part: unknown): number {
  if (typeof part !== 'object' || part === null) return 0
  const { text, data, output } = part as { readonly [name: string]: unknown }
  return lengthOfText(text) + lengthOfText(data) + lengthOfText(output)
}

function lengthOfText(value: unknown): number {
  return typeof value === 'string' ? value.length : 0
}

/** Whether values contain many other values or long texts. Stops counting as soon as that is known. */
function hasMany(values: readonly unknown[]): boolean {
  if (values.length === 0) return false
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
