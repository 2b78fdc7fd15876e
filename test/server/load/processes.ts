import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { bundledProgram } from '../../helpers/bundled-program.ts'

/** A program in a process of its own that is asked and answers, one question at a time. */
export class LoadProcess {
  readonly #child: ChildProcess
  #answered: (answer: unknown) => void = () => undefined
  #failed: (error: Error) => void = () => undefined

  private constructor(child: ChildProcess, program: string) {
    this.#child = child
    child.on('message', (answer) => this.#answered(answer))
    child.on('exit', (code) => this.#failed(new Error(`${program} ended with ${code}.`)))
  }

  /**
   * Starts a program as users run it: a loader that names each function as it is made costs more than some of them do.
   * @param program its address, from the folder of this module
   */
  static async start(program: string, execArgv: readonly string[] = []): Promise<LoadProcess> {
    const path = fileURLToPath(new URL(program, import.meta.url))
    const child = fork(await bundledProgram(path), [], {
      // Nothing of the process that starts it, its inspector or its coverage.
      execArgv: ['--expose-gc', ...execArgv],
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    return new LoadProcess(child, program)
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
