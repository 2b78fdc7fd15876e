import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HostError } from '../errors.ts'
import type { EnvironmentPlace } from './environments.ts'
import type { Python } from './find-python.ts'
import { isAtLeast } from './python-versions.ts'

export interface InstallOptions {
  /** The installer's environment: it needs the user's proxies, indexes and certificates. */
  readonly variables?: NodeJS.ProcessEnv
  /** Sees what the installers say, line by line. */
  readonly log?: (line: string) => void
  /** Stops the installer and whatever it has started. */
  readonly signal?: AbortSignal | undefined
}

/** The first pip that installs into an environment that it is not part of. */
const PIP_FROM_OUTSIDE = '22.3'
const MOST_LINES = 8

type Run = (command: string, args: readonly string[]) => Promise<string>

/** Makes an environment in a folder and installs what is needed: with uv, where there is one, else with pip. */
export async function installInto(
  folder: string,
  { needs, base }: EnvironmentPlace,
  options: InstallOptions,
): Promise<void> {
  const temporary = join(dirname(folder), 'temporary')
  await mkdir(temporary)
  const run: Run = (command, args) => runToEnd(command, args, temporary, options)
  const install = (await hasUv(run))
    ? await prepareUv(run, folder, base)
    : await preparePip(run, folder, base)
  if (needs.packages.length > 0) await install([], needs.packages)
  if (needs.alone.length > 0) await install(['--no-deps'], needs.alone)
}

type Install = (flags: readonly string[], packages: readonly string[]) => Promise<unknown>

async function hasUv(run: Run): Promise<boolean> {
  try {
    await run('uv', ['--version'])
    return true
  } catch (error) {
    if (HostError.is(error)) throw error
    return false
  }
}

async function prepareUv(run: Run, folder: string, { executable }: Python): Promise<Install> {
  await run('uv', ['venv', '--no-project', '--relocatable', '--python', executable, folder])
  const into = ['pip', 'install', '--python', join(folder, 'bin', 'python')]
  return (flags, packages) => run('uv', [...into, ...flags, '--', ...packages])
}

async function preparePip(run: Run, folder: string, { executable }: Python): Promise<Install> {
  const isOutside = await hasPipFromOutside(run, executable)
  const bare = isOutside ? ['--without-pip'] : []
  await run(executable, ['-E', '-m', 'venv', ...bare, folder])
  const own = join(folder, 'bin', 'python')
  const [program, target] = isOutside ? [executable, ['--python', own]] : [own, []]
  const pip = ['-E', '-m', 'pip', '--disable-pip-version-check', '--no-input', ...target]
  return (flags, packages) =>
    run(program, [...pip, 'install', '--no-user', ...flags, '--', ...packages])
}

async function hasPipFromOutside(run: Run, executable: string): Promise<boolean> {
  try {
    const said = await run(executable, ['-E', '-m', 'pip', '--version'])
    return isAtLeast(/^pip (\d+\.\d+)/m.exec(said)?.[1] ?? '0', PIP_FROM_OUTSIDE)
  } catch (error) {
    if (HostError.is(error)) throw error
    return false
  }
}

/** Runs a program to its end. @throws what it said last where it failed; HostError ABORTED */
async function runToEnd(
  command: string,
  args: readonly string[],
  temporary: string,
  { variables = process.env, log, signal }: InstallOptions,
): Promise<string> {
  assertGoingOn(signal)
  const child = spawn(command, args, {
    // What it leaves in its temporary folder goes with that; no module of another folder is in its way.
    cwd: temporary,
    env: { ...variables, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what it has started can be stopped with it.
    detached: true,
  })
  const stop = () => killGroup(child)
  signal?.addEventListener('abort', stop)
  const lines = gather(child, log)
  try {
    const [status] = (await once(child, 'close')) as [number | null]
    assertGoingOn(signal)
    if (status === 0) return lines.join('\n')
  } finally {
    signal?.removeEventListener('abort', stop)
  }
  throw new Error(`${command} failed: ${lastWords(lines)}`)
}

function assertGoingOn(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new HostError('ABORTED', 'The installation was stopped.')
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

function gather(child: ChildProcess, log: InstallOptions['log']): readonly string[] {
  const lines: string[] = []
  for (const output of [child.stdout, child.stderr]) {
    let rest = ''
    output?.setEncoding('utf8').on('data', (text: string) => {
      const whole = (rest + text).split(/[\r\n]+/)
      rest = whole.pop() ?? ''
      for (const line of whole) take(line)
    })
    output?.on('end', () => take(rest))
  }
  function take(line: string): void {
    if (line.trim() === '') return
    lines.push(line)
    if (lines.length > MOST_KEPT) lines.shift()
    log?.(line)
  }
  return lines
}

const MOST_KEPT = 200

/** The lines that say what was wrong, else the last. */
function lastWords(lines: readonly string[]): string {
  const faults = lines.filter((line) => /^\s*(error|×|caused by)\b/i.test(line))
  const shown = (faults.length > 0 ? faults : lines).slice(-MOST_LINES)
  return shown.join('\n') || 'it said nothing'
}
