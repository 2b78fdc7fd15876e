import { readdirSync, readFileSync } from 'node:fs'
import { WATCHERS } from '../../src/python/watcher.ts'

/** A running process. */
export interface Process {
  readonly pid: number
  /** The command line. */
  readonly command: string
}

/** Marks the environment of every process that the tests of a worker start, and of theirs. */
const MARK = 'BRAIDWORK_TESTS_OF'

/** Marks the environment of a process that stays for further test files, and ends with its worker. */
export const KEPT = 'BRAIDWORK_TESTS_KEPT'

let isKeeping = false

/** Running processes that neither this process nor its children started. They are not looked at again. */
let foreign: ReadonlySet<number> = new Set()

/** Marks all processes that this one starts from now on. */
export function markChildren(): void {
  process.env[MARK] = String(process.pid)
}

/** Tells whether processes with the mark `KEPT`, and theirs, may stay from now on: those that a test uses may not. */
export function keepMarked(areUnused: boolean): void {
  isKeeping = areUnused
}

/**
 * The processes that this one started, directly or not, and that still run: its descendants, and those with its mark.
 * Only Linux says so; elsewhere there are none.
 */
export function startedProcesses(): Process[] {
  const own = new Set([process.pid])
  const others = new Set<number>()
  for (const pid of runningPids()) {
    const origin = foreign.has(pid) ? 'foreign' : originOf(pid, own)
    if (origin === 'own') own.add(pid)
    if (origin === 'foreign') others.add(pid)
  }
  foreign = others
  own.delete(process.pid)
  const kept = isKeeping ? keptOf(own) : new Set()
  const left = [...own].filter((pid) => !kept.has(pid))
  const found = left.map((pid) => ({ pid, command: commandOf(pid) }))
  // The command line of a process that has ended is empty.
  return found.filter(({ command }) => command !== '' && !isForLife(command))
}

/** Processes with the mark, and those below them: a browser writes titles over the environments of its own. */
function keptOf(own: ReadonlySet<number>): ReadonlySet<number> {
  const kept = new Set<number>()
  for (const pid of own) {
    if (kept.has(parentOf(pid) ?? 0) || environmentOf(pid)?.includes(`${KEPT}=1`)) kept.add(pid)
  }
  return kept
}

/**
 * Whether this process or one of its own started another one. A process without an environment does not tell: it has
 * ended, or is loading its program, which takes long on a busy machine.
 */
function originOf(pid: number, own: ReadonlySet<number>): 'own' | 'foreign' | 'unknown' {
  if (own.has(parentOf(pid) ?? 0)) return 'own'
  const environment = environmentOf(pid)
  if (environment?.join('') === '') return 'unknown'
  return environment?.includes(`${MARK}=${process.pid}`) ? 'own' : 'foreign'
}

function environmentOf(pid: number): readonly string[] | undefined {
  return read(() => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0'))
}

function runningPids(): number[] {
  const names = read(() => readdirSync('/proc')) ?? []
  return names.flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : [])).sort((a, b) => a - b)
}

function parentOf(pid: number): number | undefined {
  const stat = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The name of the program, in parentheses, may contain anything.
  return stat === undefined
    ? undefined
    : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

function commandOf(pid: number): string {
  const line = read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? ''
  return line.replaceAll('\0', ' ').trim()
}

/**
 * Whether a process is one that ends with its parent and not before: tsx starts one in each process that imports
 * TypeScript, and a host one for all its Python plugins.
 */
function isForLife(command: string): boolean {
  const watchers = WATCHERS.map((words) => words.join(' ').trim())
  return /\besbuild --service=/.test(command) || watchers.includes(command)
}

/** What a file system of the kernel says; nothing of a process that has just ended. */
export function read<T>(get: () => T): T | undefined {
  try {
    return get()
  } catch {
    return undefined
  }
}
