import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Variables } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import type { Python } from './find-python.ts'
import { installerVariables } from './installer-variables.ts'
import { isAtLeast } from './python-versions.ts'
import { runProgram } from './run-program.ts'
import type { Venv } from './venvs.ts'

export interface InstallOptions {
  /** The host's environment variables. The installer gets only those that contain no secrets. */
  readonly variables?: Variables
  /** Names of additional variables to pass. */
  readonly named?: readonly string[]
  /** Receives the installer's output line by line. */
  readonly log?: (line: string) => void
  /** Stops the installer and all processes that it started. */
  readonly signal?: AbortSignal | undefined
}

/** The first version of pip that can install into another environment. */
const PIP_FROM_OUTSIDE = '22.3'
/** Prints what `pip --version` prints first, in a tenth of its time: that command loads all of pip. */
const VERSION_OF_PIP = 'import pip; print("pip", pip.__version__)'
const MOST_LINES = 8

type Run = (command: string, args: readonly string[]) => Promise<string>

/** Creates a virtual environment in a folder and installs packages, with uv if available, else with pip. */
export async function installInto(
  folder: string,
  { needs, base }: Venv,
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

/** False also if the installation was stopped. Then the next program is not started. */
async function hasUv(run: Run): Promise<boolean> {
  try {
    await run('uv', ['--version'])
    return true
  } catch {
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

/** False also if the installation was stopped. Then the next program is not started. */
async function hasPipFromOutside(run: Run, executable: string): Promise<boolean> {
  try {
    const said = await run(executable, ['-E', '-c', VERSION_OF_PIP])
    return isAtLeast(/^pip (\d+\.\d+)/m.exec(said)?.[1] ?? '0', PIP_FROM_OUTSIDE)
  } catch {
    return false
  }
}

/** Runs a program to its end. @throws an error with its last output if it fails; HostError ABORTED */
async function runToEnd(
  command: string,
  args: readonly string[],
  temporary: string,
  { variables = process.env, named = [], log, signal }: InstallOptions,
): Promise<string> {
  assertGoingOn(signal)
  const lines = new Lines(log)
  const { status } = await runProgram(command, args, {
    // In a temporary folder: files left there are deleted with it, and no module of another folder is imported by
    // mistake.
    cwd: temporary,
    env: { ...installerVariables(variables, named), TMPDIR: temporary },
    signal,
    onText: (text) => lines.add(text),
  })
  assertGoingOn(signal)
  lines.add('\n')
  if (status === 0) return lines.kept.join('\n')
  throw new Error(`${command} failed: ${lastWords(lines.kept)}`)
}

function assertGoingOn(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new HostError('ABORTED', 'The installation was stopped.')
}

/** Keeps the last lines of an installer's output, from both streams in the order of arrival. */
class Lines {
  readonly kept: string[] = []
  readonly #log: InstallOptions['log']
  #rest = ''

  constructor(log: InstallOptions['log']) {
    this.#log = log
  }

  add(text: string): void {
    const whole = (this.#rest + text).split(/[\r\n]+/)
    // Limit the length of a line that has not ended.
    this.#rest = (whole.pop() ?? '').slice(-LONGEST_LINE)
    for (const line of whole) {
      if (line.trim() === '') continue
      this.kept.push(line)
      if (this.kept.length > MOST_KEPT) this.kept.shift()
      this.#log?.(line)
    }
  }
}

const LONGEST_LINE = 64_000
const MOST_KEPT = 200

/** The lines that report an error, else the last lines. */
function lastWords(lines: readonly string[]): string {
  const faults = lines.filter((line) => /^\s*(error|×|caused by)\b/i.test(line))
  const shown = (faults.length > 0 ? faults : lines).slice(-MOST_LINES)
  return shown.join('\n') || 'it printed nothing'
}
