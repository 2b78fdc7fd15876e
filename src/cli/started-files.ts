import { existsSync } from 'node:fs'
import { basename, delimiter, dirname, extname, join, resolve } from 'node:path'
import { isFolder, Pinning, realPath } from '@braidwork/core/internal'
import { isObject } from '@braidwork/plugin'
import { filledText } from './env-references.ts'

/** A program that the host starts, as the config has it: a server of MCP over stdio. */
interface Started {
  readonly command: string
  readonly args?: unknown
  readonly env?: unknown
  readonly cwd?: unknown
}

const MODULE = /\.(?:[cm]?[jt]sx?|py)$/i
/** Programs that run a folder when they are given one. Others may take it as the place of their data. */
const INTERPRETER = /^(?:node|bun|deno|tsx|python[\d.]*|pypy[\d.]*)(?:\.exe)?$/i
/** The files of such a folder that may be run. */
const ENTRIES = ['index.js', 'index.cjs', 'index.mjs', 'index.ts', '__main__.py', 'package.json']

/**
 * The files from which the programs start that configs and specs name with "command", wherever they have them: files
 * that the command, its arguments and its variables name, existing or not, and modules that these name in turn.
 */
export function startedFiles(value: unknown): readonly string[] {
  const paths = new Set(programsIn(value).flatMap(pathsOf))
  const pinning = new Pinning()
  for (const path of paths) if (MODULE.test(path) && isOwn(path)) pinning.addPlugin(path)
  return [...[...paths].flatMap(spellingsOf), ...pinning.pins.keys()]
}

function programsIn(value: unknown): readonly Started[] {
  if (Array.isArray(value)) return value.flatMap(programsIn)
  if (!isObject(value)) return []
  const inner = Object.values(value).flatMap(programsIn)
  return isStarted(value) ? [value, ...inner] : inner
}

function isStarted(value: object): value is Started {
  return 'command' in value && typeof value.command === 'string'
}

function pathsOf({ command, args, env, cwd }: Started): readonly string[] {
  const folder = resolve(typeof cwd === 'string' ? filledText(cwd) : '.')
  const given = Array.isArray(args) ? args.filter((one) => typeof one === 'string') : []
  const variables = isObject(env) ? Object.values(env).filter((one) => typeof one === 'string') : []
  const words = [...given, ...variables].map(filledText).flatMap(wordsIn)
  // A command without a slash is searched in PATH, not in the folder.
  const program = filledText(command)
  const own = /[\\/]/.test(program) ? [program] : []
  const runsFolders = INTERPRETER.test(basename(program))
  return [...own, ...words, ...modulesOf(given)].flatMap((word) =>
    filesAt(resolve(folder, word), runsFolders),
  )
}

/** The paths that may stand in an argument: "server.mjs", "--import=./hook.mjs", "node ./server.mjs" for a shell. */
function wordsIn(text: string): readonly string[] {
  return [text, ...text.split(/[\s=;&|'"]+/), ...text.split(delimiter)].filter(
    (word) => word !== '',
  )
}

/** The files of the module that Python runs with "-m". */
function modulesOf(args: readonly string[]): readonly string[] {
  return args.flatMap((name, at) => {
    if (args[at - 1] !== '-m') return []
    const path = name.split('.').join('/')
    return [`${path}.py`, `${path}/__main__.py`]
  })
}

/** The files that a path stands for: itself, with an ending that Node adds, or the entries of a folder. */
function filesAt(path: string, runsFolders: boolean): readonly string[] {
  if (isFolder(path)) return runsFolders ? ENTRIES.map((name) => join(path, name)) : []
  return extname(path) === '' ? [path, `${path}.js`] : [path]
}

/** Installed packages are protected by the name of their folder, and may have very many modules. */
function isOwn(path: string): boolean {
  return existsSync(path) && !path.includes('node_modules')
}

/** A path as the host's file system knows it, of the file and of a link to it. */
function spellingsOf(path: string): readonly string[] {
  return [join(realPath(dirname(path)), basename(path)), realPath(path)]
}
