import { constants, realpathSync } from 'node:fs'
import { access, open, readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { codeOf, type Variables } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { isAtLeast } from './python-versions.ts'
import { type Ended, runProgram } from './run-program.ts'

/** A Python interpreter that plugins can run in. */
export interface Python {
  /** The program itself, as `sys.executable` gives it: not a launcher script that looks it up at each start. */
  readonly executable: string
  /** For example `3.11.7`. */
  readonly version: string
}

/** Where to look for an interpreter. */
export interface PythonPlaces {
  /** The interpreter that the config names. */
  readonly configured?: string | undefined
  /** By default the host's own environment variables. */
  readonly variables?: Variables
}

/** The oldest Python version that is supported. */
export const OLDEST_PYTHON = '3.9'

/** Milliseconds within which an interpreter must report its version. */
export const LONGEST_START_MS = 10_000
/** The maximum number of interpreters to list. A search path never has more. */
const MOST_LISTED = 40

/** The environment variables that a child process inherits. */
const CHILD_VARIABLES = ['PATH', 'HOME', 'LANG', 'TMPDIR'] as const

/** Starts an interpreter for use, and returns its description. */
export type Begin = (command: string) => Promise<Python>

/**
 * Finds the base interpreter: the configured one, else PYTHON_BIN, the active virtual environment, or `python3`. If a
 * configured interpreter does not run, no other one is tried.
 * @param begin starts the interpreter for use; if that fails, the interpreter is queried to find the reason
 * @throws {HostError} PYTHON_MISSING
 */
export async function findPython(places: PythonPlaces = {}, begin?: Begin): Promise<Python> {
  const { variables = process.env } = places
  const { command, origin } = namedPython(places.configured, variables)
  // The query below finds out why it does not start.
  const begun = await begin?.(command).catch(() => undefined)
  const python = begun ?? (await askPython(command, origin, variables))
  if (isAtLeast(python.version, OLDEST_PYTHON)) return python
  throw missing(
    origin,
    `it is Python ${python.version}, but plugins need ${OLDEST_PYTHON} or newer`,
  )
}

/**
 * The path of the base interpreter if it is a launcher script of a version manager, else `undefined`. Such a script
 * looks up the interpreter anew at each start by its own rules, so its result must not be cached.
 */
export async function shimOf({
  configured,
  variables = process.env,
}: PythonPlaces = {}): Promise<string | undefined> {
  const { command } = namedPython(configured, variables)
  const folders = (variables['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const paths = command.includes('/') ? [command] : folders.map((folder) => join(folder, command))
  for (const path of paths) {
    const isRunnable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    // A file may be executable without being readable.
    if (isRunnable) return (await isScript(path).catch(() => false)) ? path : undefined
  }
  return undefined
}

async function isScript(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return buffer.toString('latin1') === '#!'
  } finally {
    await file.close()
  }
}

/** The suitable interpreters on the search path, newest first. */
export async function listPythons(variables: Variables = process.env): Promise<readonly Python[]> {
  const folders = (variables['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const names = await Promise.all(folders.map(pythonsIn))
  const asked = [...new Set(names.flat())].slice(0, MOST_LISTED).map(async (configured) => {
    try {
      return await findPython({ configured, variables })
    } catch {
      // A program that is named like Python but is not.
      return undefined
    }
  })
  const found = (await Promise.all(asked)).filter((python) => python !== undefined)
  const unique = new Map(found.map((python) => [realpathSync(python.executable), python]))
  return [...unique.values()].toSorted((left, right) =>
    isAtLeast(left.version, right.version) ? -1 : 1,
  )
}

async function pythonsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => [])
  return names.filter((name) => /^python3(\.\d+)?$/.test(name)).map((name) => join(folder, name))
}

/** The environment variables for a child process; all others of the host are removed. */
export function childVariables(variables: Variables = process.env): Variables {
  const kept = CHILD_VARIABLES.flatMap((name) =>
    variables[name] === undefined ? [] : [[name, variables[name]] as const],
  )
  return Object.fromEntries(kept)
}

interface NamedPython {
  readonly command: string
  /** Where the name comes from, for messages. */
  readonly origin: string
}

function namedPython(configured: string | undefined, variables: Variables): NamedPython {
  if (configured) return { command: configured, origin: `"${configured}" of the config` }
  const { PYTHON_BIN: named, VIRTUAL_ENV: active } = variables
  if (named) return { command: named, origin: `"${named}" of PYTHON_BIN` }
  if (!active) return { command: 'python3', origin: '"python3"' }
  const command = join(active, 'bin', 'python')
  return { command, origin: `"${command}" of the active virtual environment (VIRTUAL_ENV)` }
}

const QUESTION = 'import sys; print(sys.executable, "%d.%d.%d" % sys.version_info[:3], sep="\\n")'

async function askPython(command: string, origin: string, variables: Variables): Promise<Python> {
  const options = { env: childVariables(variables), timeoutMs: LONGEST_START_MS }
  const args = ['-I', '-S', '-c', QUESTION]
  const ended = await runProgram(command, args, options).catch((error: unknown) => {
    throw codeOf(error) === 'ERR_ACCESS_DENIED'
      ? forbidden(origin, error)
      : missing(origin, whyNotRun(error), error)
  })
  const [executable = '', version = ''] = ended.out.split('\n').slice(-3)
  if (ended.isLate || ended.status !== 0) throw missing(origin, faultOf(ended))
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw missing(origin, 'it is not Python')
  return { executable, version }
}

function whyNotRun(error: unknown): string {
  const code = codeOf(error)
  if (code === 'ENOENT') return 'there is no such program'
  return code === 'EACCES' ? 'it cannot be executed: permission denied' : messageOf(error)
}

function faultOf({ isLate, status, signal, err }: Ended): string {
  if (isLate) return `it did not answer within ${LONGEST_START_MS / 1000} seconds`
  const said = err.trim().split('\n').at(-1) ?? ''
  return said === '' ? `it failed (${signal ?? `exit status ${status}`})` : said
}

function missing(origin: string, reason: string, cause?: unknown): HostError {
  return new HostError(
    'PYTHON_MISSING',
    `Python plugins cannot run with ${origin}: ${reason}. Install Python ${OLDEST_PYTHON} or newer, or set PYTHON_BIN to one.`,
    { cause },
  )
}

/** Node's permission model refuses child processes: another interpreter would not run either. */
function forbidden(origin: string, cause: unknown): HostError {
  return new HostError(
    'PYTHON_MISSING',
    `Python plugins cannot run with ${origin}: Node's permission model allows no child processes. Run Node with "--allow-child-process" too.`,
    { cause },
  )
}
