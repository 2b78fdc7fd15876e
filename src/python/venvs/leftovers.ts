import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '@braidwork/core/internal'

/** Removes unfinished folders of processes that were killed: those named by the prefix and the id of the process. */
export async function removeLeftovers(parent: string, prefix: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(prefix))
  const left = names.filter((name) => !isRunning(Number.parseInt(name.slice(prefix.length), 10)))
  await Promise.all(left.map((name) => rm(join(parent, name), { recursive: true, force: true })))
}

/** Whether a process runs, of any user. */
export function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
