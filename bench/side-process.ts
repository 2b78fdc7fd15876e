import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * A side in a process of its own. In one process the garbage of a side would make V8 collect, and throw away the code
 * that was compiled for objects of the others.
 */
export class SideProcess {
  readonly what: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, what: string) {
    this.#child = child
    this.what = what
  }

  /**
   * Starts a program, which first tells the name of its side.
   * @returns undefined if there is no such side
   */
  static async start(program: URL, args: readonly string[]): Promise<SideProcess | undefined> {
    const child = fork(fileURLToPath(program), [...args])
    const what = await said<string | null>(child)
    return what === null ? undefined : new SideProcess(child, what)
  }

  /** Sends a question. @returns the answer */
  async ask<Answer>(question: number | object): Promise<Answer> {
    this.#child.send(question)
    return said<Answer>(this.#child)
  }

  close(): void {
    this.#child.kill()
  }
}

/** The next message of a process. @throws if the process ends without one */
async function said<Message>(child: ChildProcess): Promise<Message> {
  const settled = new AbortController()
  const { signal } = settled
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`The process of a side ended with exit code ${code}.`)
  })
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), ended])
    return message as Message
  } finally {
    settled.abort()
  }
}
