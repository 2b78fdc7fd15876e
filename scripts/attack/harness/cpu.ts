import { readFileSync } from 'node:fs'

/** Milliseconds per tick of the kernel's CPU accounting, which Linux reports in the same unit on every machine. */
const TICK = 10

/** The CPU time of a process in milliseconds. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK
}
