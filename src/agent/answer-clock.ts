import { isOutput, type Sink } from '@braidwork/core/internal'
import type { Environment } from './environment.ts'

/** The times of one answer, in seconds since its request. */
interface AnswerTimes {
  readonly seconds: number
  /** Until the first output. Absent if there was none. */
  readonly firstSeconds?: number
}

/** Measures a request to a model from the clock's creation on. */
export class AnswerClock {
  readonly #environment: Pick<Environment, 'elapsed'>
  readonly #since: number
  #first: number | undefined

  constructor(environment: Pick<Environment, 'elapsed'>) {
    this.#environment = environment
    this.#since = environment.elapsed()
  }

  /** Passes all events on, and notes when the first output arrives. */
  watch<T>(sink: Sink<readonly T[]>): Sink<readonly T[]> {
    return (events) => {
      if (this.#first === undefined && events.some(isOutput)) this.#first = this.#elapsed()
      return sink(events)
    }
  }

  /** The times until now. */
  get times(): AnswerTimes {
    const first = this.#first
    return { seconds: this.#elapsed(), ...(first === undefined ? {} : { firstSeconds: first }) }
  }

  #elapsed(): number {
    return (this.#environment.elapsed() - this.#since) / 1000
  }
}
