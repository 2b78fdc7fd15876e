import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where the state after the last build is kept. */
const STATE = '.cache/built'

/** What the build reads and writes: sources, guides, what `tsc` made of the sources, and what the build made of that. */
const FOLDERS = [
  'src',
  'providers',
  'extensions',
  'features',
  'tools',
  'docs',
  'python',
  'scripts/build',
]
/** The libraries that are bundled, and those that the build itself is made with. */
const FILES = ['package.json', 'scripts/build.ts', 'node_modules/.package-lock.json']

const LEFT_OUT = new Set(['node_modules', '__pycache__'])

/** Whether neither what the build reads nor what it wrote has changed since it ended. */
export function isUpToDate(root: string): boolean {
  return read(join(root, STATE)) === stateOf(root)
}

/** Notes that the build has ended. */
export function noteBuilt(root: string): void {
  mkdirSync(join(root, dirname(STATE)), { recursive: true })
  writeFileSync(join(root, STATE), stateOf(root))
}

/** A digest of the names, times and sizes of all files. */
function stateOf(root: string): string {
  const paths = [...FOLDERS.flatMap((folder) => filesIn(root, folder)), ...FILES]
  const lines = paths.toSorted().map((path) => {
    const { mtimeMs = 0, size = 0 } = statSync(join(root, path), { throwIfNoEntry: false }) ?? {}
    return `${path} ${mtimeMs} ${size}`
  })
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}

function filesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return [path]
    return LEFT_OUT.has(entry.name) ? [] : filesIn(root, path)
  })
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
