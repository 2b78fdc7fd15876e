import { HostError, isObject } from '@braidwork/plugin'
import { type TextMatcher, textMatcher } from '../text-pattern.ts'
import { narrowed, type RunRules } from './run-rules.ts'

/** A rule that a call breaks. */
export interface BrokenRule {
  readonly rule: 'allowed_tools' | 'forbidden_patterns'
  readonly reason: string
}

/**
 * The rules of a run. Its owner changes them while the run goes on; the next check follows the new ones. A book that
 * narrows another one follows that one too, and can never allow more. AL-16, AL-17
 */
export class RuleBook {
  readonly #parent: RuleBook | undefined
  #own: RunRules
  #matchers: ReadonlyMap<string, TextMatcher>

  private constructor(
    own: RunRules,
    matchers: ReadonlyMap<string, TextMatcher>,
    parent: RuleBook | undefined,
  ) {
    this.#own = own
    this.#matchers = matchers
    this.#parent = parent
  }

  /** @throws {HostError} OPTION_INVALID if a pattern is not an RE2 pattern, or the number of steps is below 1 */
  static async of(rules: RunRules = {}): Promise<RuleBook> {
    return new RuleBook(structuredClone(rules), await matchersOf(rules), undefined)
  }

  /** The rules that hold now, those of the books above included. */
  get rules(): RunRules {
    return this.#parent ? narrowed(this.#parent.rules, this.#own) : this.#own
  }

  /** Replaces the own rules. @throws {HostError} OPTION_INVALID, and then the old rules stay */
  async change(rules: RunRules): Promise<void> {
    const matchers = await matchersOf(rules)
    this.#own = structuredClone(rules)
    this.#matchers = matchers
  }

  /** A book for a part of the run, which can only restrict further. @throws {HostError} OPTION_INVALID */
  async narrowedBy(rules: RunRules): Promise<RuleBook> {
    return new RuleBook(structuredClone(rules), await matchersOf(rules), this)
  }

  /** The rule that a call breaks. Undefined if it may run. */
  brokenBy(name: string, input: unknown): BrokenRule | undefined {
    const { allowed_tools: allowed } = this.rules
    if (allowed && !allowed.includes(name)) {
      return { rule: 'allowed_tools', reason: `The rules of this run do not allow "${name}".` }
    }
    const texts = [...textsIn(input)]
    const pattern = this.#patternIn(texts)
    if (pattern === undefined) return undefined
    const reason = `The arguments match "${pattern}", which the rules of this run forbid.`
    return { rule: 'forbidden_patterns', reason }
  }

  #patternIn(texts: readonly string[]): string | undefined {
    for (const [pattern, matches] of this.#matchers) if (texts.some(matches)) return pattern
    return this.#parent === undefined ? undefined : this.#parent.#patternIn(texts)
  }
}

async function matchersOf(rules: RunRules): Promise<ReadonlyMap<string, TextMatcher>> {
  const { max_iterations: steps, forbidden_patterns: patterns = [] } = rules
  if (steps !== undefined && !(Number.isInteger(steps) && steps >= 1)) {
    const message = `"max_iterations" of the rules must be a whole number of at least 1, and is ${String(steps)}.`
    throw new HostError('OPTION_INVALID', message, { pointer: '/max_iterations' })
  }
  const matchers = new Map<string, TextMatcher>()
  for (const [index, pattern] of patterns.entries()) {
    matchers.set(pattern, await textMatcher(pattern, `/forbidden_patterns/${index}`))
  }
  return matchers
}

/** All texts in a value, names of members included. */
function* textsIn(value: unknown): Generator<string> {
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string') yield next
    else if (Array.isArray(next)) waiting.push(...next)
    else if (isObject(next)) waiting.push(...Object.keys(next), ...Object.values(next))
  }
}
