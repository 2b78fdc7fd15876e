import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DEFAULT, testFiles, tierOf } from './tests/tiers.ts'

const ROOT = resolve(import.meta.dirname, '..')

/** Matches a test whose title begins with a rule's id. */
const TITLE = /\bit\(\s*['"`]([A-Z]{2}-\d\d) /g

/** The test files of the default tier with tests of rules, relative to the root. Each rule has one there. */
export function testFilesOfRules(): string[] {
  return testFiles()
    .filter((path) => tierOf(path) === DEFAULT)
    .filter((path) => readFileSync(join(ROOT, path), 'utf8').search(TITLE) !== -1)
}
