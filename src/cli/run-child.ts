import { type Ended, runProgram } from '@braidwork/python/internal'
import { assertNotStopped } from './until-signal.ts'

export interface ChildOptions {
  readonly cwd?: string
  readonly signal?: AbortSignal
}

/** npm is a script there. */
const IS_WINDOWS = process.platform === 'win32'

/**
 * Runs another program with the environment of this process and without terminal: npm or pip, for example. All processes
 * that it started end with it, and with this process.
 * @throws {HostError} ABORTED if the signal aborts, after the program has ended; an error of Node if it does not start
 */
export async function runChild(
  command: string,
  args: readonly string[],
  options: ChildOptions = {},
): Promise<Ended> {
  const ended = await runProgram(command, args, { ...options, env: process.env, shell: IS_WINDOWS })
  if (options.signal) assertNotStopped(options.signal)
  return ended
}
