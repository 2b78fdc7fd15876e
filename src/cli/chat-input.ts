import type { Interface } from 'node:readline'
import type { Steering } from '@braidwork/agent'
import type { Ask } from './ask-question.ts'

/**
 * The turns of a chat in a terminal, a line each. A line that is typed while an answer is written goes to its run, and
 * enters before the next request to the model. A line that the run does not take is the next turn. CT-15
 * @param active the steering of the run, while there is one
 */
export async function* turnsOf(
  reader: Interface,
  active: () => Steering | undefined,
): AsyncGenerator<string, void> {
  const turns: string[] = []
  let isClosed = false
  let wake: () => void = () => undefined
  const add = (line: string) => {
    turns.push(line)
    wake()
  }
  reader.on('line', (line) => {
    const steering = line.trim() === '' ? undefined : active()
    if (!steering) return add(line)
    const message = { role: 'user', parts: [{ type: 'text', text: line }] } as const
    steering.say(message).catch(() => add(line))
  })
  reader.once('close', () => {
    isClosed = true
    wake()
  })
  for (;;) {
    for (let turn = turns.shift(); turn !== undefined; turn = turns.shift()) yield turn
    if (isClosed) return
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
}

/** Asks on the conversation's own input line, which reads nothing else until the question is answered. */
export function askLine(reader: Interface): Ask {
  return (question, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => reject(new Error('stopped'))
      signal.addEventListener('abort', stop, { once: true })
      reader.question(question, { signal }, (answer) => {
        signal.removeEventListener('abort', stop)
        resolve(answer)
      })
    })
}
