import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

/** A test whose title begins with the id of a rule. */
const TITLE = /\bit\(\s*['"`]([A-Z]{2}-\d\d) /g

/** The test files that have a test of a rule, from the root. */
export function testFilesOfRules(): string[] {
  const names = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
  return files
    .map((name) => join('test', name))
    .filter((path) => readFileSync(join(ROOT, path), 'utf8').search(TITLE) !== -1)
    .sort()
}
