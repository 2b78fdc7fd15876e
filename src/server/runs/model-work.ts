import { linkSignals } from '@braidwork/core/internal'
import type { HostError } from '@braidwork/plugin'
import type { Amounts, StoredTokens } from '../access/index.ts'
import type { Identity } from '../identity.ts'
import type { Meter, MeteredLeg } from '../spending/index.ts'

export interface ModelWorkParts {
  readonly meter: Meter
  readonly tokens: StoredTokens
}

/** Work for an identity with one model. */
export interface ModelTask {
  readonly identity: Identity
  /** The name under which the work counts. */
  readonly name: string
  readonly mayUse: Amounts
  /** End the work when one of them aborts. */
  readonly signals: readonly (AbortSignal | undefined)[]
}

/** Work with a model that is no run. It counts as an active run of its identity, and as costs. */
export class ModelWork {
  readonly #parts: ModelWorkParts

  constructor(parts: ModelWorkParts) {
    this.#parts = parts
  }

  get meter(): Meter {
    return this.#parts.meter
  }

  /**
   * Does something that counts towards the limits of an identity until it ends.
   * @throws {HostError} TOO_MANY_REQUESTS, STORAGE_FAILED; UNAUTHORIZED if the caller's token ends meanwhile
   */
  async during<T>(
    { identity, name, mayUse, signals }: ModelTask,
    act: (leg: MeteredLeg, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { meter, tokens } = this.#parts
    const leg = await meter.begin(identity, name, mayUse)
    const cancel = new AbortController()
    let ended: HostError | undefined
    const release = tokens.hold(identity, (why) => {
      ended = why
      cancel.abort(why)
    })
    const unlink = linkSignals(signals, cancel)
    try {
      return await act(leg, cancel.signal)
    } catch (error) {
      throw ended !== undefined && cancel.signal.reason === ended ? ended : error
    } finally {
      release()
      unlink()
      leg.end()
    }
  }
}
