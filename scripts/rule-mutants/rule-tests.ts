import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { closureOf } from '../import-closure.ts'
import { DEFAULT, testFiles, tierOf } from '../tests/tiers.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')

/** Matches a test whose title begins with a rule's id. Those of `sampledIt` are called `test`. */
const TITLE = /\b(?:it|test)\(\s*['"`]([A-Z]{2}-\d\d) /g

/** The rules with which titles of tests begin in a text of TypeScript. */
export function rulesOfTitles(text: string): string[] {
  return [...text.matchAll(TITLE)].map(([, id = '']) => id)
}

/** The test files of each rule, relative to the root. */
export type RuleFiles = ReadonlyMap<string, readonly string[]>

/** The test files of the default tier with tests of rules. Each rule has one there. */
export function ruleFiles(): RuleFiles {
  const files = new Map<string, readonly string[]>()
  for (const file of testFiles().filter((path) => tierOf(path) === DEFAULT)) {
    for (const rule of rulesIn(file)) {
      files.set(rule, [...(files.get(rule) ?? []), file])
    }
  }
  return files
}

/** The rules that a test file has tests of, itself or in suites that it imports. */
function rulesIn(file: string): ReadonlySet<string> {
  const texts = [...closureOf(ROOT, file, 'test/')].map((one) =>
    readFileSync(join(ROOT, one), 'utf8'),
  )
  return new Set(texts.flatMap(rulesOfTitles))
}

/** Test files, and the rules that have no tests in other files. */
export interface Decision {
  readonly files: readonly string[]
  readonly rules: ReadonlySet<string>
}

/**
 * The test files that decide a rule and a number of others, and all rules that they decide. Of the others, those with
 * the fewest files come first.
 */
export function decisionOf(files: RuleFiles, rule: string, count: number): Decision {
  const ordered = [...files.values()].toSorted((left, right) => left.length - right.length)
  const chosen = new Set([...(files.get(rule) ?? []), ...ordered.slice(0, count).flat()])
  const decided = [...files].filter(([, own]) => own.every((file) => chosen.has(file)))
  return { files: [...chosen], rules: new Set(decided.map(([rule]) => rule)) }
}
