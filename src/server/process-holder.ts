import { readFileSync, readlinkSync } from 'node:fs'

/** States in `/proc/<pid>/stat` of a process that has ended and was not waited for yet. */
const ENDED = new Set(['Z', 'X', 'x'])

/** Where a process id means one process: this start of this machine, and the namespaces of ids and of time. */
interface Place {
  readonly place: string
  readonly pid: number
  readonly startedAt: string
}

/**
 * A name for whoever holds leases in this process, by which another process of the same place can tell
 * whether this one is gone. Where the system does not say where a process is (it has no `/proc`), the name
 * tells nothing, and a lease that was left is over when its time is.
 */
export function holderOfThisProcess(id: string): string {
  const own = thisProcess()
  return own ? `${own.place}/${own.pid}/${own.startedAt}/${id}` : id
}

/**
 * Whether the process of a holder's name is certainly gone: it was one of this place, and either nothing has
 * its id, or what has it began at another time. Of another machine, of a container with ids of its own, or
 * of a process that may not be looked at, nothing is certain.
 */
export function isGone(holder: string): boolean {
  const own = thisProcess()
  const [, place, pid, startedAt] = /^(.*)\/(\d+)\/(\d+)\/[^/]*$/.exec(holder) ?? []
  if (!own || place !== own.place) return false
  try {
    // Asked first: a process of somebody else may be hidden in /proc, but not from signals.
    process.kill(Number(pid), 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
  const { state, startedAt: found } = statOf(String(pid)) ?? {}
  return found !== undefined && (found !== startedAt || ENDED.has(String(state)))
}

function thisProcess(): Place | undefined {
  try {
    // A /proc of other namespaces speaks of other processes by the same ids.
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

/** State and start time of a process: the 3rd and the 22nd field; the 2nd, its name, may have anything in it. */
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
