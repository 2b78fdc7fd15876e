import { HostError, type Message, toMessages } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'

/** A message for a run, until the run has taken it. */
interface Waiting {
  readonly message: Message
  readonly taken: () => void
  readonly refused: (error: HostError) => void
}

/**
 * Messages of the user for a run that is active. Each enters before the next request to the model, or is refused
 * because the run has ended: none is lost, and none enters twice. CT-15
 */
export class Steering {
  #waiting: Waiting[] = []
  #isOver = false

  /** Whether messages wait. */
  get hasMessages(): boolean {
    return this.#waiting.length > 0
  }

  /**
   * Says something to the run.
   * @returns a promise that resolves when the message has entered the run
   * @throws {HostError} RUN_NOT_ACTIVE, if the run has ended or ends before it takes the message; MESSAGES_INVALID for
   * what is no message of the user, and the run goes on
   */
  say(message: Message): Promise<void> {
    if (this.#isOver) return Promise.reject(notActive())
    const fault = faultOf(message)
    if (fault) return Promise.reject(fault)
    return new Promise((taken, refused) => {
      this.#waiting.push({ message, taken, refused })
    })
  }

  /**
   * Takes all messages that wait. @param enter makes them part of the run
   * @internal
   */
  async take(enter: (messages: readonly Message[]) => Promise<void>): Promise<void> {
    const waiting = this.#waiting
    if (waiting.length === 0) return
    this.#waiting = []
    try {
      await enter(waiting.map(({ message }) => message))
    } catch (error) {
      this.#waiting = [...waiting, ...this.#waiting]
      throw error
    }
    for (const { taken } of waiting) taken()
  }

  /** Ends the steering with the run. What still waits is refused. @internal */
  end(): void {
    this.#isOver = true
    for (const { refused } of this.#waiting.splice(0)) refused(notActive())
  }
}

function faultOf(message: Message): HostError | undefined {
  try {
    toMessages([message])
  } catch (error) {
    return toHostError(error)
  }
  if (message.role === 'user') return undefined
  const text = `A run takes messages of the user, and none with the role "${message.role}".`
  return new HostError('MESSAGES_INVALID', text, { pointer: '/0/role' })
}

function notActive(): HostError {
  const message =
    'The run is not active, so the message did not enter it. Send it as the next turn.'
  return new HostError('RUN_NOT_ACTIVE', message)
}
