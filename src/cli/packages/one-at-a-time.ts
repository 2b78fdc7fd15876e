import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { isRunning } from '@braidwork/python/internal'
import { lockFile } from './lock.ts'

/** Milliseconds between two tries. */
const PAUSE = 20
/** Milliseconds that a process waits for another one. A change of the records takes a fraction of a second. */
const PATIENCE = 30_000

/**
 * Changes the records of added plugins while no other process does, so that no change gets lost. A process that was
 * killed while it changed them does not keep others out.
 * @param change - reads the records, and writes them
 * @returns the result of the change
 * @throws {HostError} PACKAGE_INSTALL_FAILED if another process does not finish its change; an error of the change
 */
export async function oneAtATime<T>(change: () => Promise<T> | T, patience = PATIENCE): Promise<T> {
  const file = `${lockFile()}.held`
  const until = Date.now() + patience
  while (!hold(file)) {
    if (Date.now() >= until) throw busy(file)
    await sleep(PAUSE)
  }
  try {
    return await change()
  } finally {
    rmSync(file, { force: true })
  }
}

/** Makes a file with the id of this process. @returns false if another process has it */
function hold(file: string): boolean {
  mkdirSync(dirname(file), { recursive: true })
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    releaseKilled(file)
    return false
  }
}

/** Removes the file of a process that no longer runs. */
function releaseKilled(file: string): void {
  if (isHeld(file)) return
  const taken = `${file}.taken-${process.pid}`
  try {
    renameSync(file, taken)
  } catch {
    // Its process, or another one that waits, has removed it.
    return
  }
  // Another process may have removed the old file and made its own since it was read.
  if (isHeld(taken)) renameSync(taken, file)
  else rmSync(taken)
}

/** True too for a file that is empty, because its process is about to write into it. */
function isHeld(file: string): boolean {
  try {
    const id = readFileSync(file, 'utf8')
    return id === '' || isRunning(Number(id))
  } catch {
    return true
  }
}

function busy(file: string): HostError {
  return new HostError(
    'PACKAGE_INSTALL_FAILED',
    `Another process of braidwork is changing the list of plugins and does not finish. Nothing was changed. Try again; if no other process runs, delete "${file}".`,
  )
}
