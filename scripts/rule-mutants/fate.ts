import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Copy, type Rules, testRules, typeFault } from './copy.ts'
import { type Decision, decisionOf, type RuleFiles } from './rule-tests.ts'

export interface Mutant {
  readonly rule: string
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** The minimum number of other rules whose tests must still pass: a mutant should break one rule, not everything. */
const FEWEST_OTHERS = 30
/** How many rules the first test files decide: enough others, even if a mutant breaks a few of them too. */
const DECIDED_FIRST = FEWEST_OTHERS + 5

/** The reason why a mutant was not killed; `undefined` if it was. */
export async function fate(
  { rule, file, find, replace }: Mutant,
  copy: Copy,
  files: RuleFiles,
): Promise<string | undefined> {
  const path = join(copy.path, file)
  const source = readFileSync(path, 'utf8')
  const found = source.split(find).length - 1
  if (found !== 1) return `"find" occurs ${found} times in ${file}; it must occur exactly once`
  writeFileSync(
    path,
    source.replace(find, () => replace),
  )
  try {
    const fault = await typeFault(copy)
    if (fault !== undefined) return `it does not type-check:\n${fault}`
    return await survival(rule, files, (some) => testRules(copy, some))
  } catch (error) {
    return String(error)
  } finally {
    writeFileSync(path, source)
  }
}

/**
 * The reason why a mutant of a rule survives; `undefined` if a test of the rule fails and those of enough other rules
 * pass. The test files of the rule, and those that decide enough others, run first. The rest takes several times as
 * long, and runs only if the first ones leave a doubt.
 */
export async function survival(
  rule: string,
  files: RuleFiles,
  test: (files: readonly string[]) => Promise<Rules>,
): Promise<string | undefined> {
  const first = firstFiles(files, rule)
  const early = await test(first.files)
  if (early.get(rule) === false && passedOthers(rule, decided(early, first)) >= FEWEST_OTHERS)
    return undefined
  const rest = [...new Set([...files.values()].flat())].filter((one) => !first.files.includes(one))
  const rules = both(early, await test(rest))
  if (rules.get(rule) !== false) return `no test of ${rule} failed`
  const others = passedOthers(rule, rules)
  const fewest = `the tests of only ${others} other rules still pass; at least ${FEWEST_OTHERS} must`
  return others < FEWEST_OTHERS ? fewest : undefined
}

/** The test files that run first for a mutant of a rule. */
export function firstFiles(files: RuleFiles, rule: string): Decision {
  return decisionOf(files, rule, DECIDED_FIRST)
}

function decided(rules: Rules, { rules: known }: Decision): Rules {
  return new Map([...rules].filter(([rule]) => known.has(rule)))
}

function passedOthers(rule: string, rules: Rules): number {
  return [...rules].filter(([id, passed]) => id !== rule && passed).length
}

function both(left: Rules, right: Rules): Rules {
  const rules = new Map(left)
  for (const [rule, passed] of right) rules.set(rule, passed && left.get(rule) !== false)
  return rules
}
