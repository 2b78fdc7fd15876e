import { Steering } from '@braidwork/agent'
import { HostError, type Message } from '@braidwork/plugin'

/** What the user says to a run. */
interface SteeredRun {
  readonly steering: Steering
  /** Resolves when all events of the run so far are stored. */
  readonly committed: () => Promise<void>
  /** The messages with an id. A client may send one again, for example because its connection broke. */
  readonly said: Map<string, Promise<void>>
}

/** The runs of this process, each with its door for what the user says meanwhile. CT-15 */
export class SteeredRuns {
  readonly #runs = new Map<string, SteeredRun>()

  begin(runId: string, committed: () => Promise<void>): Steering {
    const steering = new Steering()
    this.#runs.set(runId, { steering, committed, said: new Map() })
    return steering
  }

  end(runId: string): void {
    this.#runs.delete(runId)
  }

  /**
   * Says something to a run of this process. Resolves when the message has entered the run and is stored. A message
   * whose id was said before enters once.
   * @param isOurs whether this process works on the run
   * @throws {HostError} RUN_NOT_ACTIVE; STORAGE_FAILED; CONVERSATION_BUSY if another process works on the run
   */
  async say(runId: string, message: Message, isOurs: boolean): Promise<void> {
    const run = this.#runs.get(runId)
    if (run) return sayOnce(run, message)
    if (isOurs) {
      throw new HostError('RUN_NOT_ACTIVE', 'The run is ending. Send the message as the next turn.')
    }
    const text =
      'Another process of the server works on the run. Send the message when it has ended.'
    throw new HostError('CONVERSATION_BUSY', text)
  }
}

function sayOnce({ steering, committed, said }: SteeredRun, message: Message): Promise<void> {
  const { id } = message
  const before = id === undefined ? undefined : said.get(id)
  if (before) return before
  const entered = steering.say(message).then(committed)
  if (id !== undefined) said.set(id, entered)
  return entered
}
