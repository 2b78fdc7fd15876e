import { readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { HostError, isObject } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { type ConfigLayer, checkConfig } from '../config/index.ts'
import { readRegularText } from '../regular-file.ts'
import { isPath, packageFolder, workspaceFolder } from './locate.ts'

/** A config as a file has it: JSON, with comments and trailing commas. */
export interface ConfigFile {
  /** Absolute. */
  readonly path: string
  readonly text: string
  /** What it says, plugins that it names by a path or find beside it as absolute paths. */
  readonly config: ConfigLayer
  /** Absolute paths of the files that it stands upon, the lowest first. */
  readonly extends: readonly string[]
}

/** A place in a file, both from 1, as editors count. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Keys of a file that are no part of the config. */
const OF_FILES = ['$schema', 'extends']

/** How the text of a file is read. @throws as `readRegularText` does */
export type ReadText = (path: string) => string

/** @throws {HostError} CONFIG_INVALID, with the file, and the line and column where there is a place */
export function readConfigFile(file: string, read: ReadText = readPlain): ConfigFile {
  const path = resolve(file)
  const text = readText(path, read)
  const value = parse(text, path)
  if (!isObject(value)) throw invalid(path, 'a config must be an object', positionOf(text, ''))
  const bases = extendsOf(value, (reason) => invalid(path, reason, positionOf(text, '/extends')))
  const own = Object.fromEntries(Object.entries(value).filter(([key]) => !OF_FILES.includes(key)))
  const folder = dirname(path)
  return {
    path,
    text,
    config: withPluginPaths(checkedAt(own, path, text), folder),
    extends: bases.map((base) => resolve(folder, base)),
  }
}

/** More files than one config honestly stands upon. */
const MOST_FILES = 32

/**
 * A file and those that it stands upon, the lowest first; each is read once, and one that several stand upon has the
 * highest of its places.
 * @throws {HostError} CONFIG_INVALID, where one stands upon itself, and where they are too many
 */
export function readConfigChain(file: string, read?: ReadText): readonly ConfigFile[] {
  const found = new Map<string, ConfigFile>()
  follow(resolve(file), { found, open: [], read })
  return [...found.values()].toReversed()
}

interface Following {
  /** By its real path, the highest first. */
  readonly found: Map<string, ConfigFile>
  /** Those that are being followed, by their real paths. */
  readonly open: readonly string[]
  readonly read: ReadText | undefined
}

/** From the highest down, the last base first: what was found already stands above. */
function follow(path: string, { found, open, read }: Following): void {
  const real = realPathOr(path)
  const own = readConfigFile(path, read ?? (open.length === 0 ? readGiven : readPlain))
  if (found.size >= MOST_FILES) {
    throw invalid(path, `it is one of more than ${MOST_FILES} files that a config stands upon`)
  }
  found.set(real, own)
  const bases = own.extends.map((base) => ({ base, to: realPathOr(base) }))
  const fail = (reason: string): Error =>
    invalid(own.path, reason, positionOf(own.text, '/extends'))
  for (const [at, { base, to }] of bases.entries()) {
    const circle = [...open, real]
    if (circle.includes(to)) throw fail(circleIn([...circle.slice(circle.indexOf(to)), to]))
    if (bases.findIndex((one) => one.to === to) < at)
      throw fail(`it extends "${basename(base)}" twice`)
  }
  for (const { base, to } of bases.toReversed()) {
    if (!found.has(to)) follow(base, { found, open: [...open, real], read })
  }
}

function circleIn(paths: readonly string[]): string {
  return `it extends itself: ${paths.map((path) => basename(path)).join(' → ')}`
}

function realPathOr(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    // Reading it says what is wrong with it.
    return path
  }
}

/** Where a value stands in a file's text; where it is not there, the nearest that it would stand in. */
export function positionOf(text: string, pointer: string): Position | undefined {
  const root = parseTree(text, [], READING)
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  for (let length = keys.length; root && length >= 0; length--) {
    const node = findNodeAtLocation(root, keys.slice(0, length).map(segmentOf))
    // A property's key says more than its value's first character.
    if (node)
      return positionAt(text, (node.parent?.type === 'property' ? node.parent : node).offset)
  }
  return undefined
}

/** `file:line:column`, or the file alone. */
export function placeOf(path: string, position: Position | undefined): string {
  return position ? `${path}:${position.line}:${position.column}` : path
}

const READING = { allowTrailingComma: true, disallowComments: false }

/** A file that a person names may be a pipe, as `<(…)` of a shell is; one that a file names may not. */
function readGiven(path: string): string {
  return readFileSync(path, 'utf8')
}

function readPlain(path: string): string {
  return readRegularText(path)
}

function readText(path: string, read: ReadText): string {
  try {
    return read(path)
  } catch (error) {
    if (HostError.is(error)) throw error
    throw invalid(path, `the config file cannot be read: ${messageOf(error)}`)
  }
}

function parse(text: string, path: string): unknown {
  const errors: ParseError[] = []
  const root = deeply(path, () => parseTree(text, errors, READING))
  const [first] = errors
  if (root && !first) return deeply(path, () => readValue(root))
  const what = first ? wordsOf(printParseErrorCode(first.error)) : 'it is empty'
  throw invalid(path, `the config file is no JSON: ${what}`, positionAt(text, first?.offset ?? 0))
}

/** Reads what may be nested deeper than the stack. */
function deeply<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw invalid(path, 'the config file is nested too deep')
    throw error
  }
}

/** "ValueExpected" is "value expected". */
function wordsOf(code: string): string {
  return code.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
}

/** Not by assignment: `__proto__` is a key like any other, and the check refuses it. */
function readValue({ type, value, children = [] }: Node): unknown {
  if (type === 'array') return children.map(readValue)
  if (type !== 'object') return value
  const entries = children.flatMap(({ children: pair = [] }) => {
    const [key, inner] = pair
    return key && inner ? [[String(key.value), readValue(inner)] as const] : []
  })
  return Object.fromEntries(entries)
}

function checkedAt(value: unknown, path: string, text: string): ConfigLayer {
  try {
    return checkConfig(value)
  } catch (error) {
    if (!HostError.is(error)) throw error
    const { pointer = '' } = error
    throw invalid(path, error.message, positionOf(text, pointer), pointer)
  }
}

function extendsOf(
  { extends: given = [] }: { readonly [key: string]: unknown },
  fail: (reason: string) => Error,
) {
  const bases: readonly unknown[] = Array.isArray(given) ? given : [given]
  return bases.map((base) => {
    if (typeof base === 'string' && base !== '') return base
    throw fail('"extends" is the path of a config file, or a list of them')
  })
}

/** Paths are those of the file that names them, and packages those that are installed beside it. */
function withPluginPaths(config: ConfigLayer, folder: string): ConfigLayer {
  const plugins = config.plugins?.map((name) => {
    if (isPath(name)) return resolve(folder, name)
    return packageFolder(name, folder) ?? workspaceFolder(name, folder) ?? name
  })
  return plugins ? { ...config, plugins } : config
}

function segmentOf(key: string): string | number {
  return /^(?:0|[1-9]\d*)$/.test(key) ? Number(key) : key
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

function invalid(path: string, reason: string, position?: Position, pointer = ''): HostError {
  return new HostError('CONFIG_INVALID', `${placeOf(path, position)}: ${reason}`, { pointer })
}
