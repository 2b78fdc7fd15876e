import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

/** Within the project, so that what is imported is found. */
const COMPILED = fileURLToPath(
  new URL('../../../node_modules/.cache/braidwork-load', import.meta.url),
)

/** A program in a process of its own that is asked and answers, one question at a time. */
export class LoadProcess {
  readonly #child: ChildProcess
  readonly #file: string
  #answered: (answer: unknown) => void = () => undefined
  #failed: (error: Error) => void = () => undefined

  constructor(program: string, execArgv: readonly string[] = []) {
    this.#file = compiled(program)
    this.#child = fork(this.#file, [], {
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
    await rm(this.#file)
  }
}

/** A program as users run it: a loader that names each function as it is made costs more than some of them do. */
export function compiled(program: string): string {
  const outfile = join(COMPILED, `${basename(program, '.ts')}-${process.pid}.mjs`)
  buildSync({
    entryPoints: [fileURLToPath(new URL(program, import.meta.url))],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  })
  return outfile
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
