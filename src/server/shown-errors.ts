import type { StoredRun } from '@braidwork/agent'
import type { ErrorData, RunEvent } from '@braidwork/plugin'
import { FormatEnding, withPlace } from './asked-format.ts'
import { orderOf, type RunOrder } from './run-order.ts'
import type { ShownError, StreamEncoder } from './wire/index.ts'

/** Marks the errors of runs, if the operator wants clients to read what model APIs say. */
export class ShownErrors {
  readonly isShown: boolean

  constructor(isShown: boolean) {
    this.isShown = isShown
  }

  mark(error: ErrorData): ShownError {
    return this.isShown ? { ...error, isShown: true } : error
  }

  /** Returns the event, with its error marked if it has one. */
  markIn(event: RunEvent): RunEvent {
    return event.type === 'error' ? { ...event, error: this.mark(event.error) } : event
  }

  /** The errors of a run for one reader of its protocol. */
  of(run: StoredRun): RunErrors {
    return new RunErrors(this, orderOf(run))
  }
}

/** What a client asked for, as far as it is known. */
type AskedFor = Partial<Pick<RunOrder, 'settings' | 'schemaPlace'>>

/** Tells one reader of a run its errors in the terms of the request. It is given each event once, in order. */
export class RunErrors {
  readonly #shown: ShownErrors
  readonly #order: AskedFor
  readonly #ending: FormatEnding | undefined

  constructor(shown: ShownErrors, order: AskedFor) {
    this.#shown = shown
    this.#order = order
    const { type = 'text' } = order.settings?.response_format ?? {}
    this.#ending = type === 'text' ? undefined : new FormatEnding()
  }

  mark(error: ErrorData): ShownError {
    return withPlace(this.#shown.mark(error), this.#order)
  }

  markIn(event: RunEvent): RunEvent {
    const told = this.#ending?.told(event) ?? event
    return told.type === 'error' ? { ...told, error: this.mark(told.error) } : told
  }

  /** Returns an encoder that is given marked errors. */
  encoder(encoder: StreamEncoder): StreamEncoder {
    if (!this.#shown.isShown && !this.#ending) return encoder
    return { encode: (event) => encoder.encode(this.markIn(event)) }
  }
}
