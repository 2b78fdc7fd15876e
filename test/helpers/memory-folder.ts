import { mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What all tests that run at once may take in memory, in bytes. */
const ROOM = 2 ** 30

/**
 * Makes a new folder, in memory where the system has room for it: for tests that would wait for the disk at each
 * commit, and are not about disks. The runner of the tests names the folder for it.
 */
export function memoryFolder(prefix: string): string {
  const memory = process.env['TESTS_MEMORY']
  return mkdtempSync(join(memory !== undefined && hasRoom(memory) ? memory : tmpdir(), prefix))
}

function hasRoom(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > ROOM
}
