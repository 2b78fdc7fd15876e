import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readAdded, writeAdded } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { readLock, writeLock } from './lock.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { installationOf, packageIn, packagesFolder } from './places.ts'
import type { Staged } from './staged.ts'

/** Steps around the move of a package. */
export interface Around {
  /** Called while no other process changes the records. The package stays where it is if this throws. */
  readonly check: () => void
  /** Called with the folder of the older version before that is removed. */
  readonly onReplaced: (folder: string) => Promise<void>
}

/**
 * Moves a staged package to its place, in that of an older version, and records it. If anything fails, the older
 * version and the records are as they were.
 * @param range - the versions that an update may take
 * @returns the folder of the package
 * @throws {HostError} PACKAGE_INSTALL_FAILED, or an error of the check
 */
export async function place(
  staged: Staged,
  range: string,
  { check, onReplaced }: Around,
): Promise<string> {
  const { name } = staged
  const old = await mkdtemp(join(packagesFolder(), `.staging-${process.pid}-`))
  const kept = join(old, 'installation')
  try {
    await oneAtATime(() => {
      check()
      return exchange(staged, range, kept)
    })
    if (existsSync(kept)) await onReplaced(packageIn(kept, name))
    return packageIn(installationOf(name), name)
  } finally {
    await rm(old, { recursive: true, force: true })
  }
}

/** @param kept - where the older version goes */
async function exchange(staged: Staged, range: string, kept: string): Promise<void> {
  const { name, version, integrity } = staged
  const installation = installationOf(name)
  const folder = packageIn(installation, name)
  const [lock, { folders }] = [readLock(), readAdded()]
  const undo: (() => Promise<void> | void)[] = []
  try {
    if (existsSync(installation)) {
      await rename(installation, kept)
      undo.push(() => rename(kept, installation))
    }
    await rename(staged.installation, installation)
    undo.push(() => rename(installation, staged.installation))
    writeLock({ ...lock, [name]: { version, range, integrity } })
    undo.push(() => writeLock(lock))
    if (!folders.includes(folder)) writeAdded([...folders, folder])
  } catch (error) {
    for (const step of undo.reverse()) await step()
    const message = `"${name}@${version}" could not be moved to "${installation}": ${messageOf(error)}. Nothing was changed.`
    throw new HostError('PACKAGE_INSTALL_FAILED', message, { cause: error })
  }
}

/** Removes an installed package with its records. The records go first: what they do not name is not loaded. */
export async function displace(name: string): Promise<void> {
  const installation = installationOf(name)
  const folder = packageIn(installation, name)
  await oneAtATime(() => {
    writeAdded(readAdded().folders.filter((one) => one !== folder))
    const { [name]: _, ...others } = readLock()
    writeLock(others)
  })
  await rm(installation, { recursive: true, force: true })
}
