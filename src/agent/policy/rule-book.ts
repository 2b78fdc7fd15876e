import { unknownOption } from '@braidwork/core/internal'
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

  /** @throws {HostError} OPTION_INVALID for an unknown rule, a pattern that is not RE2, or fewer steps than 1 */
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

const RULES = ['max_iterations', 'allowed_tools', 'forbidden_patterns'] as const

/** A rule with another name, or of another form, would restrict nothing. @throws {HostError} OPTION_INVALID */
function assertRules(rules: RunRules): void {
  const unknown = Object.keys(rules).find((name) => !RULES.some((rule) => rule === name))
  if (unknown !== undefined) throw unknownOption('RuleBook', `/${unknown}`, RULES)
  const { max_iterations: steps, allowed_tools: tools, forbidden_patterns: patterns } = rules
  if (steps !== undefined && !(Number.isInteger(steps) && steps >= 1))
    throw wrongRule('max_iterations', `a whole number of at least 1, and is ${String(steps)}`)
  if (!isListOfTexts(tools)) throw wrongRule('allowed_tools', 'a list of names')
  if (!isListOfTexts(patterns)) throw wrongRule('forbidden_patterns', 'a list of RE2 patterns')
}

function wrongRule(rule: (typeof RULES)[number], expected: string): HostError {
  const message = `"${rule}" of the rules must be ${expected}.`
  return new HostError('OPTION_INVALID', message, { pointer: `/${rule}` })
}

function isListOfTexts(value: unknown): boolean {
  if (value === undefined) return true
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

async function matchersOf(rules: RunRules): Promise<ReadonlyMap<string, TextMatcher>> {
  assertRules(rules)
  const { forbidden_patterns: patterns = [] } = rules
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
