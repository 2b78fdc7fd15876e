import { createInterface } from 'node:readline'
import type { Steering } from '@braidwork/agent'
import { EXIT } from '../exit.ts'
import type { Ask } from './ask-question.ts'
import { ChatInput } from './chat-input.ts'

/** The person before a chat, as an answer knows them. */
export interface Person {
  /** Aborts when the person stops the answer. */
  readonly signal: AbortSignal
  /** Asks the person. `undefined` when there is no terminal. */
  readonly ask: Ask | undefined
}

export interface Conversing {
  /** Answers a turn. @returns the exit status */
  readonly answer: (turn: string, person: Person) => Promise<number>
  /** The steering of the run, while there is one. */
  readonly steering: () => Steering | undefined
}

const LEAVE = '(press Ctrl-C again, or Ctrl-D, to leave)'

/**
 * Answers each line of standard input. Ctrl-C stops a running answer; at the prompt it drops what is typed, and pressing
 * it twice leaves. Ctrl-D leaves; at a question it stops the answer first.
 * @returns the exit status of the last answer
 */
export async function converse({ answer, steering }: Conversing): Promise<number> {
  let controller: AbortController | undefined
  let isLeaving = false
  let hasLeft = false
  const stop = () => {
    hasLeft = true
    controller?.abort('stopped by Ctrl-D')
  }
  const interrupt = () => {
    const isAnswering = controller?.signal.aborted === false
    if (isAnswering) controller?.abort('stopped by Ctrl-C')
    else if (controller || (isLeaving && (input?.isEmpty ?? true))) process.exit(EXIT.interrupted)
    else {
      isLeaving = true
      if (input) input.drop(LEAVE)
      else process.stderr.write(`\n${LEAVE}\n`)
    }
  }
  using input = process.stdin.isTTY ? new ChatInput({ steering, interrupt, stop }) : undefined
  process.on('SIGINT', interrupt)
  let status: number = EXIT.ok
  try {
    for await (const turn of input?.turns() ?? createInterface({ input: process.stdin })) {
      isLeaving = false
      if (turn.trim() === '') continue
      controller = new AbortController()
      status = await answer(turn, { signal: controller.signal, ask: input?.ask })
      controller = undefined
      if (hasLeft) break
    }
  } finally {
    process.off('SIGINT', interrupt)
  }
  return status
}
