import { createInterface, type Interface } from 'node:readline'
import type { Steering } from '@braidwork/agent'
import { visible } from '../characters.ts'
import type { Ask } from './ask-question.ts'

const PROMPT = '> '

/** What the input line of a chat needs to know of it. */
export interface Chatting {
  /** The steering of the run, while there is one. */
  readonly steering: () => Steering | undefined
  /** Is called for Ctrl-C. */
  readonly interrupt: () => void
  /** Stops the answer, and aborts its signal: at a question, Ctrl-D leaves it unanswered. */
  readonly stop: () => void
}

/**
 * The input line of a chat in a terminal. A line that is typed while an answer is written goes to its run, and
 * enters before the next request to the model. A line that the run does not take is the next turn. CT-15
 */
export class ChatInput implements Disposable {
  readonly #chatting: Chatting
  readonly #reader = createInterface({
    input: process.stdin,
    output: process.stderr,
    prompt: PROMPT,
  })
  /** The lines that were typed during an answer, and that no run took. */
  readonly #queue: string[] = []
  /** What was said to a run that has not taken it yet. Nothing of it rejects. */
  readonly #said = new Set<Promise<void>>()
  /** Takes the next line, while there is a prompt; `undefined` if there will be none. */
  #take: ((line: string | undefined) => void) | undefined
  #isClosed = false
  #isDropping = false

  constructor(chatting: Chatting) {
    this.#chatting = chatting
    this.#reader
      .on('line', (line) => this.#read(line))
      .on('SIGINT', chatting.interrupt)
      .once('close', () => this.#closed())
  }

  [Symbol.dispose](): void {
    this.#reader.close()
  }

  /** The turns, until Ctrl-D. */
  async *turns(): AsyncGenerator<string, void> {
    for (;;) {
      await Promise.all(this.#said)
      const queued = this.#queue.shift()
      // Its characters stand somewhere in the answer during which it was typed.
      if (queued !== undefined) process.stderr.write(`${PROMPT}${visible(queued)}\n`)
      const turn = queued ?? (await this.#nextLine())
      if (turn === undefined) return
      yield turn
    }
  }

  /** Asks on this line, which reads nothing else until the question is answered. */
  readonly ask: Ask = (question, signal) => {
    if (this.#isClosed) this.#chatting.stop()
    return askOn(this.#reader, this.#chatting.stop)(question, signal)
  }

  /** Whether nothing is typed that was not sent. */
  get isEmpty(): boolean {
    return this.#reader.line === ''
  }

  /** Drops what is typed, as shells do, and prompts again below a note. */
  drop(note: string): void {
    if (this.#isClosed) return
    // Where standard error goes to a file, the terminal itself drops the line.
    if (this.#reader.terminal) this.#dropLine()
    process.stderr.write(`${note}\n`)
    this.#reader.prompt()
  }

  #dropLine(): void {
    this.#reader.write(null, { ctrl: true, name: 'e' })
    process.stderr.write('^C')
    // This ends the line on the screen and in the reader, also one of several rows.
    this.#isDropping = true
    this.#reader.write(null, { name: 'return' })
    this.#isDropping = false
  }

  #read(line: string): void {
    if (this.#isDropping) return
    if (this.#take) this.#give(line)
    else if (line.trim() !== '') this.#say(line)
  }

  /** Says a line to the run, if there is one that takes it. */
  #say(line: string): void {
    const steering = this.#chatting.steering()
    if (!steering) {
      this.#queue.push(line)
      return
    }
    const message = { role: 'user', parts: [{ type: 'text', text: line }] } as const
    const said = steering
      .say(message)
      .catch(() => void this.#queue.push(line))
      .finally(() => this.#said.delete(said))
    this.#said.add(said)
  }

  #nextLine(): Promise<string | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined)
    this.#reader.prompt(true)
    return new Promise((resolve) => {
      this.#take = resolve
    })
  }

  /** Gives a line to the prompt. A line that comes with it in one piece is no longer the prompt's. */
  #give(line: string | undefined): void {
    const take = this.#take
    this.#take = undefined
    take?.(line)
  }

  #closed(): void {
    this.#isClosed = true
    if (!this.#take) return
    // Ctrl-D leaves the cursor on the prompt's line.
    process.stderr.write('\n')
    this.#give(undefined)
  }
}

/**
 * Asks a question on an input line.
 * @param stop must abort the signal; Ctrl-D calls it
 */
export function askOn(reader: Interface, stop: () => void): Ask {
  return (question, signal) =>
    new Promise((resolve, reject) => {
      const over = () => {
        reader.off('close', stop)
        reject(new Error('stopped'))
      }
      if (signal.aborted) return over()
      signal.addEventListener('abort', over, { once: true })
      reader.once('close', stop)
      reader.question(question, { signal }, (answer) => {
        signal.removeEventListener('abort', over)
        reader.off('close', stop)
        resolve(answer)
      })
    })
}
