import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'

/** One change of one place in a source file. */
export interface Mutant {
  /** Relative to the root, with `/`. */
  readonly file: string
  /** The number of its first line; the first line of a file is 1. */
  readonly line: number
  /** The name of the mutator that made it, such as `BooleanLiteral`. */
  readonly mutator: string
  /** Offsets in the file's text. */
  readonly start: number
  readonly end: number
  readonly replacement: string
}

const GROUPS = ['src', 'providers', 'extensions', 'features', 'tools']
const NO_MUTANTS = /\.(d|test)\.ts$|\/tests\/[^/]+\.py$/
const NO_SOURCES = new Set(['node_modules', 'dist', '.cache', '__pycache__', 'kit', 'docs'])

/**
 * The files of all rooms and plugins that mutants are made of, in one of the two languages. The tests of the packages
 * that `braidwork new` writes are tests: no test need notice that they are broken.
 */
export function sourcesOf(root: string, ending: '.ts' | '.py'): string[] {
  return [...GROUPS, ...(ending === '.py' ? ['python'] : [])]
    .flatMap((group) => filesBelow(root, group))
    .filter((file) => file.endsWith(ending) && !NO_MUTANTS.test(file))
    .sort()
}

/** All files below a folder, relative to the root, without installed and built ones. */
export function filesBelow(root: string, folder: string): string[] {
  return entriesOf(join(root, folder)).flatMap((entry) => {
    if (NO_SOURCES.has(entry.name)) return []
    const path = join(folder, entry.name).split(sep).join('/')
    return entry.isDirectory() ? filesBelow(root, path) : [path]
  })
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** The room or the plugin that a file is in: `src/core/chain`, `src/server/wire/ag-ui`, `tools/clock`. */
export function roomOf(file: string): string {
  const folders = file.split('/').slice(0, -1)
  if (folders[0] !== 'src') return folders.slice(0, 2).join('/')
  return folders.slice(0, folders[2] === 'wire' ? 4 : 3).join('/')
}

/** The text of a file with the mutant in place. */
export function applied(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

/** What identifies a mutant as long as its file does not change. */
export function keyOf({ file, start, end, mutator, replacement }: Mutant): string {
  return [file, start, end, mutator, replacement].join('\n')
}
