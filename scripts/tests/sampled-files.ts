import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..', '..')
const SAMPLES = join(ROOT, 'test', 'helpers', 'cases.ts')

/** The modules that a file imports, each by its path or its package's name. */
function importsOf(path: string): string[] {
  const names = [
    ...readFileSync(path, 'utf8').matchAll(/^(?:import |export |\} )[^'\n]*from '([^'\n]+)'/gm),
  ]
  return names.map(([, name = '']) => (name.startsWith('.') ? join(dirname(path), name) : name))
}

/** Of the given test files, those that take a sample of their cases: by the helper for it, or by fast-check. */
export function sampledFiles(files: readonly string[]): string[] {
  const known = new Map<string, boolean>()
  const isSampled = (path: string): boolean => {
    const found = known.get(path)
    if (found !== undefined) return found
    // Modules that import each other in a circle end here.
    known.set(path, false)
    const imports = importsOf(path)
    const isFound = imports.some(
      (name) =>
        name === SAMPLES || name === 'fast-check' || (isTestModule(name) && isSampled(name)),
    )
    known.set(path, isFound)
    return isFound
  }
  return files.filter((file) => isSampled(join(ROOT, file)))
}

/** Programs that stand as texts in tests import modules that do not exist. */
function isTestModule(name: string): boolean {
  return name.startsWith(join(ROOT, 'test')) && name.endsWith('.ts') && existsSync(name)
}
