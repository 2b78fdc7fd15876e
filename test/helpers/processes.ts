import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

/** Whether a process runs; one that ended and that nobody has asked after does not. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return /^[^Z\s]/.test(stdout)
}

/** Waits until some processes have ended. @returns those that have not after some seconds */
export async function waitForEnd(pids: readonly number[]): Promise<readonly number[]> {
  const end = Date.now() + 5000
  let left = pids.filter(isAlive)
  while (left.length > 0 && Date.now() < end) {
    // Each look starts a process.
    await pause(20)
    left = left.filter(isAlive)
  }
  return left
}

/** The processes whose command line has a text. */
export function processesWith(text: string): readonly number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
  const lines = stdout.split('\n').filter((line) => line.includes(text))
  return lines.map((line) => Number.parseInt(line, 10)).filter(isAlive)
}
