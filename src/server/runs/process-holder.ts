import { readFileSync, readlinkSync } from 'node:fs'
import { codeOf } from '@braidwork/core/internal'

/** The states in `/proc/<pid>/stat` of a process that has ended but was not waited for yet. */
const ENDED = new Set(['Z', 'X', 'x'])

/**
 * The scope in which a process id means one process: one boot of one machine, with its namespaces for ids and time.
 */
interface Place {
  readonly place: string
  readonly pid: number
  readonly startedAt: string
}

/**
 * Returns a name for the lease holder in this process. Another process in the same scope can tell from it whether
 * this process has ended. On a system without `/proc` the name does not say where the process is, and others have
 * to wait until its lease expires.
 */
export function holderOfThisProcess(id: string): string {
  const own = thisProcess()
  return own ? `${own.place}/${own.pid}/${own.startedAt}/${id}` : id
}

/**
 * Whether the process that a holder names has certainly ended. It must be in the scope of this process, and its id
 * must be free or belong to a process with another start time. For a process on another machine, in another
 * container, or hidden from this one, the result is false.
 */
export function isGone(holder: string): boolean {
  const own = thisProcess()
  const [, place, pid, startedAt] = /^(.*)\/(\d+)\/(\d+)\/[^/]*$/.exec(holder) ?? []
  if (!own || place !== own.place) return false
  try {
    // Check with a signal first: /proc may hide processes of other users, but a signal finds them.
    process.kill(Number(pid), 0)
  } catch (error) {
    return codeOf(error) === 'ESRCH'
  }
  const { state, startedAt: found } = statOf(String(pid)) ?? {}
  return found !== undefined && (found !== startedAt || ENDED.has(String(state)))
}

function thisProcess(): Place | undefined {
  try {
    // If /proc belongs to another namespace, its ids mean other processes.
    if (readlinkSync('/proc/self') !== String(process.pid)) return undefined
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const spaces = ['pid', 'time'].map((name) => readlinkSync(`/proc/self/ns/${name}`))
    const startedAt = statOf('self')?.startedAt
    if (startedAt === undefined) return undefined
    return { place: [boot, ...spaces].join('/'), pid: process.pid, startedAt }
  } catch {
    return undefined
  }
}

/**
 * Reads state and start time, the 3rd and 22nd field. The search starts after the 2nd, a name that may contain any
 * character.
 */
function statOf(pid: string): { readonly state?: string; readonly startedAt?: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state] = fields
    const startedAt = fields[19]
    return state === undefined || startedAt === undefined ? undefined : { state, startedAt }
  } catch {
    return undefined
  }
}
