import { Steering } from '@braidwork/agent'
import { HostError, type Message } from '@braidwork/plugin'

/** The runs of this process, each with its door for what the user says meanwhile. CT-15 */
export class SteeredRuns {
  readonly #runs = new Map<string, Steering>()

  begin(runId: string): Steering {
    const steering = new Steering()
    this.#runs.set(runId, steering)
    return steering
  }

  end(runId: string): void {
    this.#runs.delete(runId)
  }

  /**
   * Says something to a run of this process. Resolves when the message has entered the run.
   * @throws {HostError} RUN_NOT_ACTIVE; CONVERSATION_BUSY if another process works on the run
   */
  async say(runId: string, message: Message): Promise<void> {
    const steering = this.#runs.get(runId)
    if (steering) return steering.say(message)
    const text =
      'Another process of the server works on the run. Send the message when it has ended.'
    throw new HostError('CONVERSATION_BUSY', text)
  }
}
