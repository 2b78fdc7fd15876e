import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

/** Matches a test whose title begins with a rule's id. */
const TITLE = /\bit\(\s*['"`]([A-Z]{2}-\d\d) /g

/** The test files with tests of rules, relative to the root. */
export function testFilesOfRules(): string[] {
  const names = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
  return files
    .map((name) => join('test', name))
    .filter((path) => readFileSync(join(ROOT, path), 'utf8').search(TITLE) !== -1)
    .sort()
}
