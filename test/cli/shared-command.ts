import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledProgram } from '../helpers/bundled-program.ts'
import { unmarked } from '../helpers/marks.ts'
import { ROOT } from '../helpers/source-files.ts'
import { type Ran, surroundings } from './command.ts'
import type { Answered, Asked } from './command-runner.ts'

/** Where a command is run, and with which variables beside the usual ones. */
export interface Surroundings {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

const RUNNER = new URL('command-runner.ts', import.meta.url)

export type SharedCommand = (args: readonly string[], at?: Surroundings) => Promise<Ran>

/**
 * Gives the tests of a suite one process that runs their commands, one after the other: for tests of what a command says
 * of its files, and not of how it starts and ends. It has no input, and a plugin whose file was loaded is not loaded again.
 */
export function sharedCommand(): SharedCommand {
  let child: ChildProcess
  let count = 0
  let crash = ''
  before(async () => {
    const program = await bundledProgram(fileURLToPath(RUNNER))
    const built = join(ROOT, 'src', 'cli', 'dist', 'program.js')
    // As for a command of its own: no terminal, and nothing to read.
    const stdio = ['ignore', 'pipe', 'pipe', 'ipc'] as const
    child = fork(program, [built], { execArgv: [], env: surroundings(), stdio: [...stdio] })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      crash += text
    })
    await once(child, 'message')
  })
  after(async () => {
    // A command may have left a handler of other signals, which its own process would not outlive.
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  return (args, { cwd = process.cwd(), env = {} } = {}) => {
    const asked: Asked = { id: ++count, args, cwd, env: surroundings(env) }
    return new Promise((done, fail) => {
      const ended = () => fail(new Error(`The process ended at ${args.join(' ')}: ${crash}`))
      const answer = ({ id, status, out, err }: Answered) => {
        if (id !== asked.id) return
        child.off('message', answer).off('exit', ended)
        done({ status, out: unmarked(out), err: unmarked(err) })
      }
      child.on('message', answer).on('exit', ended)
      child.send(asked)
    })
  }
}
