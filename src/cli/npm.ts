import { spawn } from 'node:child_process'
import { HostError } from '@braidwork/plugin'

export interface NpmOptions {
  readonly cwd?: string
  readonly signal?: AbortSignal
}

/** How npm ended, and what it printed. */
export interface NpmRun {
  readonly status: number
  readonly out: string
  readonly err: string
}

/** A shell starts npm on Windows, where it is a script. */
const NEEDS_SHELL = process.platform === 'win32'

/**
 * Runs npm with its own configuration, and without terminal.
 * @throws {HostError} NPM_MISSING; ABORTED if the signal aborts, after npm has ended
 */
export async function runNpm(
  args: readonly string[],
  { cwd, signal }: NpmOptions = {},
): Promise<NpmRun> {
  const child = spawn('npm', args, {
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
      child.once('error', (error) => reject(npmMissing(error)))
      child.once('close', (code) => resolve(code ?? 1))
    })
    if (signal?.aborted) throw new HostError('ABORTED', 'You stopped npm. Nothing was changed.')
    return { status, out, err }
  } finally {
    signal?.removeEventListener('abort', stop)
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
