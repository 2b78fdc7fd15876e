import { readdirSync } from 'node:fs'
import { dirname, extname, join, relative, resolve, sep } from 'node:path'
import { isFile } from './locate.ts'

/** The most modules of one plugin that are followed, and the most levels of imports. */
const MOST_MODULES = 1_000
const DEEPEST = 8

const SCRIPT = /\.(?:[cm]?[jt]sx?|node|wasm)$/
const PYTHON = /\.(?:py|pyd|so)$/
/** The file endings that an import may leave out, and those of the files that a build replaces. */
const ENDINGS = [
  '',
  '.js',
  '.mjs',
  '.cjs',
  '.ts',
  '.mts',
  '.cts',
  '.node',
  '/index.js',
  '/index.ts',
]
/** A string literal that begins like a relative path. */
const RELATIVE = /(["'`])(\.{1,2}\/[^"'`\n]{1,500})\1/g

/** Reads a module's content. Undefined if the module must not be followed. */
export type ReadModule = (path: string) => string | undefined

/**
 * Reads a plugin's module and all modules that it refers to: in JavaScript those whose relative path stands in it as a
 * string, in Python those beside it whose name stands in it. That may be more modules than it imports, but not fewer,
 * except for packages and for names that are computed at run time.
 */
export function readModules(entry: string, read: ReadModule): void {
  const waiting = [entry]
  const seen = new Set(waiting)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const text = read(path)
    const named = text === undefined ? [] : modulesIn(path, text, dirname(entry))
    for (const one of named) {
      if (seen.has(one) || seen.size >= MOST_MODULES) continue
      seen.add(one)
      waiting.push(one)
    }
  }
}

function modulesIn(path: string, text: string, root: string): readonly string[] {
  if (path.endsWith('.py')) return pythonModules(path, text, root)
  return SCRIPT.test(path) ? scriptsIn(path, text) : []
}

function scriptsIn(path: string, text: string): readonly string[] {
  return [...text.matchAll(RELATIVE)].flatMap(([, , named = '']) => {
    const target = resolve(dirname(path), named.split(/[?#]/, 1).join(''))
    // A TypeScript import may name the .js file that the build will make of a .ts file.
    const source = target.replace(/js(x?)$/, 'ts$1')
    const all = [...ENDINGS.map((ending) => `${target}${ending}`), source]
    return all.filter((one) => SCRIPT.test(one) && isFile(one))
  })
}

function pythonModules(path: string, text: string, root: string): readonly string[] {
  const names = new Set(text.match(/[\p{L}_][\p{L}\p{N}_]*/gu))
  const folders = new Set([root, ...foldersBetween(root, dirname(path))])
  return [...folders].flatMap((folder) => pythonIn(folder, names, DEEPEST))
}

/** The folders from a package's root down to a module. A Python module may import from all of them. */
function foldersBetween(root: string, folder: string): readonly string[] {
  const way = relative(root, folder)
  if (way === '' || way.startsWith('..')) return [folder]
  return way.split(sep).map((_, at, all) => join(root, ...all.slice(0, at + 1)))
}

function pythonIn(folder: string, names: ReadonlySet<string>, depth: number): readonly string[] {
  if (depth === 0) return []
  return childrenOf(folder).flatMap((name) => {
    const path = join(folder, name)
    const [stem = ''] = name.split('.', 1)
    if (!(names.has(stem) || stem === '__init__')) return []
    if (PYTHON.test(extname(name))) return isFile(path) ? [path] : []
    return name === stem ? pythonIn(path, names, depth - 1) : []
  })
}

function childrenOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name !== '__pycache__')
  } catch {
    return []
  }
}
