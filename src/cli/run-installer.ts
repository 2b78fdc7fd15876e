import { spawn } from 'node:child_process'
import { HostError } from '@braidwork/plugin'

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

/** A shell starts npm on Windows, where it is a script. */
const NEEDS_SHELL = process.platform === 'win32'

/**
 * Runs an installer of packages with its own configuration, and without terminal.
 * @throws {HostError} ABORTED if the signal aborts, after the program has ended; an error of Node if it does not start
 */
export async function runInstaller(
  command: string,
  args: readonly string[],
  { cwd, signal }: InstallerOptions = {},
): Promise<InstallerRun> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: NEEDS_SHELL,
    ...(cwd === undefined ? {} : { cwd }),
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  const stop = () => child.kill()
  signal?.addEventListener('abort', stop)
  try {
    const status = await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve(code ?? 1))
    })
    if (signal?.aborted) throw new HostError('ABORTED', 'You stopped it. Nothing was changed.')
    return { status, out, err }
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
