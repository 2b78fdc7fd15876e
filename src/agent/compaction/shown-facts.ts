import { tokensOf } from '../estimated-tokens.ts'
import type { KeptFact } from '../storage/index.ts'

/** The tokens of a line besides its text. */
const LINE_TOKENS = 2
/** What the user said takes at most so many tokens, however large the window is. */
const MOST_SAID = 8192

/** The tokens that facts may take. */
export interface FactsRoom {
  readonly all: number
  /** The most for those that the user said. */
  readonly said: number
}

/** Facts that are stored, and how many of them, the last ones, the model is shown. Absent if all. */
export interface StoredFacts {
  readonly kept: readonly KeptFact[]
  readonly keptShown?: number
}

/**
 * Chooses the facts that the model is shown. Errors and references stay stored where they have no room. What the user
 * said has room after them, the newest first, and stays in the archive else.
 */
export function factsWithin(facts: readonly KeptFact[], room: FactsRoom): StoredFacts {
  const others = facts.filter((fact) => !isSaidFact(fact))
  const keptShown = countWithin(others, room.all)
  if (keptShown < others.length) return { kept: others, keptShown }
  const said = facts.filter(isSaidFact)
  const count = countWithin(said, Math.min(room.all - factTokens(others), room.said, MOST_SAID))
  return { kept: [...said.slice(said.length - count), ...others] }
}

/** How many facts, the last ones, take at most so many tokens. */
function countWithin(facts: readonly KeptFact[], room: number): number {
  let sum = 0
  const at = facts.findLastIndex((fact) => {
    sum += factTokens([fact])
    return sum > room
  })
  return facts.length - 1 - at
}

/** The estimated tokens of facts as the model is shown them. */
export function factTokens(facts: readonly KeptFact[]): number {
  return facts.reduce((sum, { text }) => sum + tokensOf(text) + LINE_TOKENS, 0)
}

/** Whether a fact is a message of the user. */
export function isSaidFact({ type }: KeptFact): boolean {
  return type === 'said'
}
