import type { ErrorData, RunEvent } from '@braidwork/plugin'
import type { ShownError, StreamEncoder } from './wire/index.ts'

/** Marks the errors of runs, if the operator wants clients to read what model APIs say. */
export class ShownErrors {
  readonly #isShown: boolean

  constructor(isShown: boolean) {
    this.#isShown = isShown
  }

  mark(error: ErrorData): ShownError {
    return this.#isShown ? { ...error, isShown: true } : error
  }

  /** Returns the event, with its error marked if it has one. */
  markIn(event: RunEvent): RunEvent {
    return event.type === 'error' ? { ...event, error: this.mark(event.error) } : event
  }

  /** Returns an encoder that is given marked errors. */
  encoder(encoder: StreamEncoder): StreamEncoder {
    if (!this.#isShown) return encoder
    return { encode: (event) => encoder.encode(this.markIn(event)) }
  }
}
