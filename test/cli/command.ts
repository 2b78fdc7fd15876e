import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { MARKED_KEYS, unmarked } from '../helpers/marks.ts'

/** The built command. */
export const COMMAND = fileURLToPath(
  new URL('../../src/cli/dist/command/braidwork.js', import.meta.url),
)

/** What the person who runs the tests has added is no part of them, and nothing can be written there. */
const NOTHING_ADDED = { XDG_CONFIG_HOME: '/dev/null/none' }

const PLAIN = { NO_COLOR: '1', NODE_OPTIONS: '' }

export interface Ran {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

export interface RunOptions {
  readonly input?: string
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** Another copy of the command than the one that was built here. */
  readonly command?: string
  /** Sees what the program prints as it comes, and may send it signals. */
  readonly onOutput?: (out: string, kill: (signal: NodeJS.Signals) => void) => void
  /** Closes the program's standard output after the first piece. */
  readonly hasEnough?: boolean
}

/** The variables of a command: those of the tests, without what its user has added, and its own. */
export function surroundings(env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { ...process.env, ...MARKED_KEYS, ...PLAIN, ...NOTHING_ADDED, ...env }
}

/** What a command printed to standard error, without the note of a plugin whose Python packages this machine lacks. */
export function withoutMissingPackages(err: string): string {
  return err.replaceAll(/^info PYTHON_ENVIRONMENT_MISSING: .*\n/gm, '')
}

/** Runs the built command, as a user would. */
export async function braidwork(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { input = '', cwd, env, command = COMMAND, onOutput } = options
  const child = spawn(process.execPath, [command, ...args], {
    env: surroundings(env),
    ...(cwd === undefined ? {} : { cwd }),
  })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
    onOutput?.(out, (signal) => child.kill(signal))
    if (options.hasEnough) child.stdout.destroy()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, out: unmarked(out), err: unmarked(err) }
}
