import type { StoredRun } from '@braidwork/agent'
import { isEnding } from '@braidwork/plugin'
import type { StreamEncoder } from '../wire/index.ts'

/** The number of runs that are remembered; the oldest are forgotten first. */
const MOST = 10_000

/** The runs whose answers this process has sent to a client up to their end. */
export class ToldAnswers {
  readonly #ids = new Set<string>()

  has({ id }: StoredRun): boolean {
    return this.#ids.has(id)
  }

  /** Wraps the encoder of a response, so that the run counts as told when its end is sent. */
  noting(encoder: StreamEncoder, run: StoredRun): StreamEncoder {
    return {
      encode: (event) => {
        if (isEnding(event)) this.#add(run)
        return encoder.encode(event)
      },
    }
  }

  #add({ id }: StoredRun): void {
    this.#ids.add(id)
    const [oldest] = this.#ids
    if (this.#ids.size > MOST && oldest !== undefined) this.#ids.delete(oldest)
  }
}
