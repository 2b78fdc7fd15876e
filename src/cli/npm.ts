import { HostError } from '@braidwork/plugin'
import { type InstallerOptions, type InstallerRun, runInstaller } from './run-installer.ts'

/** Runs npm. @throws {HostError} NPM_MISSING; ABORTED if the signal aborts, after npm has ended */
export async function runNpm(
  args: readonly string[],
  options: InstallerOptions = {},
): Promise<InstallerRun> {
  try {
    return await runInstaller('npm', args, options)
  } catch (error) {
    throw HostError.is(error) ? error : npmMissing(error)
  }
}

/** @throws {HostError} NPM_MISSING */
export async function assertNpm(): Promise<void> {
  const { status, err } = await runNpm(['--version'])
  if (status !== 0) throw npmMissing(new Error(err))
}

function npmMissing(cause: unknown): HostError {
  return new HostError(
    'NPM_MISSING',
    'npm is not installed, or not on the PATH. Install it together with Node: https://nodejs.org',
    { cause },
  )
}
