import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { CODE, closureOf } from '../import-closure.ts'
import { filesBelow } from './mutant.ts'

/** The folders and files that every test depends on. */
const SOURCES = ['src', 'providers', 'extensions', 'features', 'tools', 'python']

/** The test files of a repository. */
export function testFilesOf(root: string): string[] {
  return filesBelow(root, 'test')
    .filter((file) => file.endsWith('.test.ts'))
    .sort()
}

/** A digest of all sources and installed packages, and of further facts. */
export function digestOfSources(root: string, ...facts: readonly string[]): string {
  const sources = SOURCES.flatMap((folder) => filesBelow(root, folder)).sort()
  const files = [...sources, 'package-lock.json'].filter((file) => extname(file) !== '.md')
  return digest(
    facts,
    files.map((file) => textOf(root, file)),
  )
}

/**
 * A digest of a test file, of the files of the repository that it imports, directly or not, and of the recordings and
 * other data in its folder. Files directly in `test/`, such as lists of mutants, are no data of tests.
 */
export function digestOfTest(root: string, file: string): string {
  const code = [...closureOf(root, file)].sort()
  const data = filesBelow(root, dirname(file)).filter((path) => {
    return !CODE.has(extname(path)) && dirname(path) !== 'test'
  })
  return digest(
    [file],
    [...code, ...data].map((path) => textOf(root, path)),
  )
}

function textOf(root: string, file: string): string {
  const path = join(root, file)
  return `${file}\n${existsSync(path) ? readFileSync(path, 'utf8') : ''}`
}

function digest(facts: readonly string[], texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of [...facts, ...texts]) hash.update(`${text.length}\n${text}`)
  return hash.digest('hex').slice(0, 16)
}
