import type { RunStorage, Storage } from '../../../src/agent/storage/index.ts'

/**
 * Makes the events of several runs meet in a group: no events are stored until each of the runs waits for some of its own.
 */
export class Meeting {
  readonly #awaited: Set<string>
  #open: () => void = () => undefined
  readonly #met = new Promise<void>((open) => {
    this.#open = open
  })

  /** @param runIds the runs that meet */
  constructor(runIds: readonly string[]) {
    this.#awaited = new Set(runIds)
  }

  /** Tells that a run has written events and waits until they are stored. */
  readonly arrived = (runId: string): void => {
    this.#awaited.delete(runId)
    if (this.#awaited.size === 0) this.#open()
  }

  /** The storage, over which events are stored only after all runs have arrived. */
  over(storage: Storage): Storage {
    const append: RunStorage['append'] = async (...written) => {
      await this.#met
      return storage.runs.append(...written)
    }
    return withOwn(storage, { runs: withOwn(storage.runs, { append }) })
  }
}

/** An object with some members of its own. */
function withOwn<T extends object>(whole: T, own: Partial<T>): T {
  return new Proxy(whole, {
    get: (target, name) => {
      const value: unknown = Reflect.get(name in own ? own : target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
