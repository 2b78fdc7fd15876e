import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { HostError, isObject } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { type ConfigLayer, checkReferring } from '../config/index.ts'
import { readUtf8Text, utf8Of } from '../regular-file.ts'
import { type Position, placeOf, positionOf } from './json-places.ts'
import { type JsonFailure, jsonIn } from './json-text.ts'
import { realPathOr } from './locate.ts'
import { withPackagePaths } from './package-paths.ts'

/** A config file: JSON with comments and trailing commas. */
export interface ConfigFile {
  /** The absolute path of the file. */
  readonly path: string
  readonly text: string
  /** The config in the file. Plugins that it names by path, or packages that are installed beside it, are absolute paths. */
  readonly config: ConfigLayer
  /** The absolute paths of the files that it extends, lowest layer first. */
  readonly extends: readonly string[]
}

/** Keys of a config file that are not part of the config. */
const OF_FILES = ['$schema', 'extends']

/** Reads the text of a file. @throws the errors of `readUtf8Text` */
export type ReadText = (path: string) => string

/** Reads a config file. @throws {HostError} CONFIG_INVALID with the file, and the line and column if they are known */
export function readConfigFile(file: string, read: ReadText = readPlain): ConfigFile {
  const path = resolve(file)
  const text = readText(path, read)
  const fail: JsonFailure = (reason, position, pointer) => invalid(path, reason, position, pointer)
  const value = jsonIn(text, 'the config file', fail)
  if (!isObject(value)) throw invalid(path, 'a config must be an object', positionOf(text, ''))
  const bases = extendsOf(value, (reason) => invalid(path, reason, positionOf(text, '/extends')))
  const own = Object.fromEntries(Object.entries(value).filter(([key]) => !OF_FILES.includes(key)))
  const folder = dirname(path)
  return {
    path,
    text,
    config: withPackagePaths(checkedAt(own, path, text), folder),
    extends: bases.map((base) => resolve(folder, base)),
  }
}

/** The most files that a config may consist of. */
const MOST_FILES = 32

/**
 * Reads a file and the files that it extends, lowest layer first. Each is read once. A file that several others extend
 * gets the highest of its possible places.
 * @throws {HostError} CONFIG_INVALID, if a file extends itself, or if there are too many files
 */
export function readConfigChain(file: string, read?: ReadText): readonly ConfigFile[] {
  const found = new Map<string, ConfigFile>()
  follow(resolve(file), { found, open: [], read })
  return [...found.values()].toReversed()
}

interface Following {
  /** The files found so far by their real paths, highest layer first. */
  readonly found: Map<string, ConfigFile>
  /** The real paths of the files whose `extends` are being followed. */
  readonly open: readonly string[]
  readonly read: ReadText | undefined
}

/** Follows `extends` from the highest layer down, the last entry first, so that a file found before stays higher. */
function follow(path: string, { found, open, read }: Following): void {
  const real = realPathOr(path)
  const own = readConfigFile(path, read ?? (open.length === 0 ? readGiven : readPlain))
  if (found.size >= MOST_FILES) {
    throw invalid(path, `it is one of more than ${MOST_FILES} files that the config extends`)
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
    if (found.has(to)) continue
    if (!existsSync(base)) throw fail(`it extends "${base}", and there is no such file`)
    follow(base, { found, open: [...open, real], read })
  }
}

function circleIn(paths: readonly string[]): string {
  return `it extends itself: ${paths.map((path) => basename(path)).join(' → ')}`
}

/** Reads a file that a person names. It may be a pipe, such as `<(…)` in a shell; a file in `extends` may not. */
function readGiven(path: string): string {
  return utf8Of(readFileSync(path))
}

function readPlain(path: string): string {
  return readUtf8Text(path)
}

function readText(path: string, read: ReadText): string {
  try {
    // Some editors put a byte order mark in front of a text. RFC 8259, 8.1
    return read(path).replace(/^\uFEFF/, '')
  } catch (error) {
    if (HostError.is(error)) throw error
    throw invalid(path, `the config file cannot be read: ${messageOf(error)}`)
  }
}

function checkedAt(value: unknown, path: string, text: string): ConfigLayer {
  try {
    return checkReferring(value, process.env)
  } catch (error) {
    if (!HostError.is(error)) throw error
    const { pointer = '' } = error
    const position = positionOf(text, pointer)
    if (error.code !== 'ENV_MISSING') throw invalid(path, error.message, position, pointer)
    throw new HostError(error.code, `${error.message} (${placeOf(path, position)})`, { pointer })
  }
}

function extendsOf(
  { extends: given = [] }: { readonly [key: string]: unknown },
  fail: (reason: string) => Error,
) {
  const bases: readonly unknown[] = Array.isArray(given) ? given : [given]
  return bases.map((base) => {
    if (typeof base === 'string' && base !== '') return base
    throw fail('"extends" must be the path of a config file, or a list of such paths')
  })
}

function invalid(path: string, reason: string, position?: Position, pointer = ''): HostError {
  return new HostError('CONFIG_INVALID', `${placeOf(path, position)}: ${reason}`, { pointer })
}
