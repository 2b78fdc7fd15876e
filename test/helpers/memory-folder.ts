import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where systems have files in memory. */
const MEMORY = '/dev/shm'
/** What all tests that run at once may take there, in bytes. */
const ROOM = 2 ** 30

/**
 * Makes a new folder, in memory where the system has room for it: for tests that would wait for the disk at each
 * commit, and are not about disks.
 */
export function memoryFolder(prefix: string): string {
  return mkdtempSync(join(hasRoom() ? MEMORY : tmpdir(), prefix))
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > ROOM
}
