import { spawn } from 'node:child_process'
import { HostError } from '@braidwork/plugin'
import { endGroup, endWithHost } from '@braidwork/python/internal'

export interface InstallerOptions {
  readonly cwd?: string
  readonly signal?: AbortSignal
}

/** How an installer ended, and what it printed. */
export interface InstallerRun {
  readonly status: number
  readonly out: string
  readonly err: string
}

/** A shell starts npm there, where it is a script, and there are no process groups. */
const IS_WINDOWS = process.platform === 'win32'

/**
 * Runs an installer of packages with its own configuration, and without terminal. It has a process group of its own,
 * which ends with the host. npm does not obey SIGTERM while it waits for a tarball, so an aborted installer is killed.
 * @throws {HostError} ABORTED if the signal aborts, after the program has ended; an error of Node if it does not start
 */
export async function runInstaller(
  command: string,
  args: readonly string[],
  { cwd, signal }: InstallerOptions = {},
): Promise<InstallerRun> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: IS_WINDOWS,
    detached: !IS_WINDOWS,
    ...(cwd === undefined ? {} : { cwd }),
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  const stop = () => (IS_WINDOWS ? child.kill() : void endGroup(child.pid))
  signal?.addEventListener('abort', stop)
  const forget = child.pid === undefined ? undefined : endWithHost(child.pid)
  try {
    const status = await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve(code ?? 1))
    })
    if (signal?.aborted) throw new HostError('ABORTED', 'You stopped it. Nothing was changed.')
    return { status, out, err }
  } finally {
    forget?.()
    signal?.removeEventListener('abort', stop)
  }
}
