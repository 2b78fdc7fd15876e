import { HostError } from '@braidwork/plugin'
import { absenceOfFile } from '../place-path.ts'
import { threadedDriver } from './driver.ts'
import { failureOf } from './locked-file.ts'

/** How long the copy waits for a process that has the file locked, in milliseconds. */
const BUSY_TIMEOUT = 5000

/**
 * Writes a consistent copy of an SQLite file into another file, on a thread of the driver. The copy has every
 * transaction that was committed before the call. Other processes may read and write the file meanwhile. The data of
 * the copy may still be in the caches of the system.
 * @param target an existing, empty file
 * @throws {HostError} STORAGE_FAILED if the file is missing or damaged, or if the copy cannot be written
 */
export async function copyFile(path: string, target: string): Promise<void> {
  assertFile(path)
  const Database = threadedDriver()
  const from = new Database(path, {})
  try {
    await from.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`)
    await from.exec(`VACUUM INTO '${target.replaceAll("'", "''")}'`)
  } catch (error) {
    throw failureOf(error)
  } finally {
    from.close()
  }
  await assertWhole(target)
}

/** @throws {HostError} STORAGE_FAILED if there is no file, or an empty one */
function assertFile(path: string): void {
  const absence = absenceOfFile(path)
  if (absence !== undefined) throw new HostError('STORAGE_FAILED', absence)
}

/** @throws {HostError} STORAGE_FAILED */
async function assertWhole(path: string): Promise<void> {
  const Database = threadedDriver()
  const copy = new Database(path, {})
  try {
    const [row = {}] = (await copy.pragma('integrity_check(1)', {})) as readonly object[]
    const [result] = Object.values(row) as readonly unknown[]
    if (result === 'ok') return
    throw new HostError('STORAGE_FAILED', `The copy is damaged: ${String(result)}.`)
  } catch (error) {
    throw failureOf(error)
  } finally {
    copy.close()
  }
}
