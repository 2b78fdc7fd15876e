import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { closureOf } from '../import-closure.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const SAMPLES = 'test/helpers/cases.ts'

/**
 * Of the given test files, those that take a sample of their cases: by the helper for it, or by fast-check, themselves
 * or in modules of the tests that they import.
 */
export function sampledFiles(files: readonly string[]): string[] {
  return files.filter((file) =>
    [...closureOf(ROOT, file, 'test/')].some((path) => path === SAMPLES || generatesInputs(path)),
  )
}

/** Of the given test files, those that check properties by fast-check, themselves or in modules that they import. */
export function filesWithProperties(files: readonly string[]): string[] {
  return files.filter((file) => [...closureOf(ROOT, file, 'test/')].some(checksProperties))
}

function checksProperties(path: string): boolean {
  return readFileSync(join(ROOT, path), 'utf8').includes('fc.assert(')
}

function generatesInputs(path: string): boolean {
  return readFileSync(join(ROOT, path), 'utf8').includes("from 'fast-check'")
}
