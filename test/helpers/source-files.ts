import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative, sep } from 'node:path'

/** The folder of the project. */
export const ROOT = join(import.meta.dirname, '..', '..')

export interface SourceFile {
  /** From the root, with `/`. */
  readonly path: string
  readonly text: string
}

/** An import or a re-export of a file. */
export interface Import {
  readonly from: string
  readonly isType: boolean
}

/** What others wrote, what others will own, and what the build makes: of the guides and the Python kit a copy each. */
const NO_SOURCES = new Set([
  'node_modules',
  'dist',
  '.cache',
  '__pycache__',
  'kit',
  'docs',
  'templates',
])

/** The TypeScript files of some folders of the project; a folder that is not there has none. */
export function sourceFiles(...folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) => filesBelow(join(ROOT, folder))).map(readSource)
}

/** The folders of the packages of the host and of the shipped plugins, relative to the root. */
export function packageFolders(): readonly string[] {
  return ['src', 'providers', 'extensions', 'features', 'tools'].flatMap((group) =>
    readdirSync(join(ROOT, group))
      .map((name) => `${group}/${name}`)
      .filter((folder) => existsSync(join(ROOT, folder, 'package.json'))),
  )
}

/** Every path below a folder, files only. */
function filesBelow(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    if (NO_SOURCES.has(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function readSource(path: string): SourceFile {
  const isSource = /\.[cm]?tsx?$/.test(path)
  return {
    path: relative(ROOT, path).split(sep).join('/'),
    text: isSource ? readFileSync(path, 'utf8') : '',
  }
}

const STATIC = /^\s*(?:import|export)\s+(type\s+)?(?:[\w*\s{},$]+?\s+from\s+)?['"]([^'"]+)['"]/gm
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]/g

/** What a file imports; a list of nothing but `type` names counts as a type import. */
export function importsOf({ text }: SourceFile): Import[] {
  const statics = [...text.matchAll(STATIC)].map(([all, type, from = '']) => ({
    from,
    isType: type !== undefined || hasOnlyTypes(all),
  }))
  const dynamics = [...text.matchAll(DYNAMIC)].map(([, from = '']) => ({ from, isType: false }))
  return [...statics, ...dynamics]
}

function hasOnlyTypes(statement: string): boolean {
  const names = /\{([^}]*)\}/.exec(statement)?.[1]?.split(',') ?? []
  const given = names.map((name) => name.trim()).filter((name) => name !== '')
  return given.length > 0 && given.every((name) => name.startsWith('type '))
}

/** The file of the project that a relative import names. */
export function targetOf(file: SourceFile, from: string): string | undefined {
  if (!from.startsWith('.')) return undefined
  return normalize(join(dirname(file.path), from))
    .split(sep)
    .join('/')
}

/** The package that a bare import names. */
export function packageOf(from: string): string | undefined {
  if (from.startsWith('.') || from.startsWith('node:')) return undefined
  return from.split('/', from.startsWith('@') ? 2 : 1).join('/')
}
