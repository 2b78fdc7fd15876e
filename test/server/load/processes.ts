import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { runFolder } from '../../helpers/once-in-run.ts'
import { ROOT } from '../../helpers/source-files.ts'

/** A program in a process of its own that is asked and answers, one question at a time. */
export class LoadProcess {
  readonly #child: ChildProcess
  #answered: (answer: unknown) => void = () => undefined
  #failed: (error: Error) => void = () => undefined

  constructor(program: string, execArgv: readonly string[] = []) {
    this.#child = fork(compiled(program), [], {
      // Nothing of the process that starts it, its inspector or its coverage.
      execArgv: ['--expose-gc', ...execArgv],
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child.on('message', (answer) => this.#answered(answer))
    this.#child.on('exit', (code) => this.#failed(new Error(`${program} ended with ${code}.`)))
  }

  get pid(): number {
    return this.#child.pid as number
  }

  ask<Answer>(question: object): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#answered = (answer) => resolve(answer as Answer)
      this.#failed = reject
      this.#child.send(question)
    })
  }

  async end(): Promise<void> {
    this.#failed = () => undefined
    const { exitCode, signalCode, connected } = this.#child
    if (exitCode === null && signalCode === null) {
      const ended = once(this.#child, 'exit')
      if (connected) this.#child.disconnect()
      await ended
    }
  }
}

/**
 * A program as users run it: a loader that names each function as it is made costs more than some of them do. It is
 * compiled once in a run of tests.
 */
export function compiled(program: string): string {
  const source = fileURLToPath(new URL(program, import.meta.url))
  const name = relative(ROOT, source).replaceAll('/', '-')
  const outfile = join(compiledFolder(), `${basename(name, '.ts')}.mjs`)
  if (existsSync(outfile)) return outfile
  // Another process may compile it too: each file appears as a whole.
  const part = `${outfile}.${process.pid}`
  buildSync({
    entryPoints: [source],
    outfile: part,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  })
  renameSync(part, outfile)
  return outfile
}

/** A folder in which programs find the packages of the project. */
function compiledFolder(): string {
  const folder = join(runFolder(), 'compiled')
  const packages = join(folder, 'node_modules')
  if (existsSync(packages)) return folder
  mkdirSync(folder, { recursive: true })
  const part = `${packages}.${process.pid}`
  symlinkSync(join(ROOT, 'node_modules'), part)
  renameSync(part, packages)
  return folder
}

/** Answers what the process is asked by the one that started it. */
export function answerQuestions(answer: (question: never) => unknown): void {
  process.on('message', (question) => {
    Promise.resolve(answer(question as never)).then(
      (value) => {
        // Whoever asked may have left meanwhile.
        if (process.connected) process.send?.(value ?? null)
      },
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
        process.exit(1)
      },
    )
  })
  process.once('disconnect', () => process.exit())
}
