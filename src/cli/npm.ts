import { HostError } from '@braidwork/plugin'
import type { Ended } from '@braidwork/python/internal'
import { type ChildOptions, runChild } from './run-child.ts'

/** Runs npm. @throws {HostError} NPM_MISSING; ABORTED if the signal aborts, after npm has ended */
export async function runNpm(args: readonly string[], options: ChildOptions = {}): Promise<Ended> {
  try {
    return await runChild('npm', args, options)
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
