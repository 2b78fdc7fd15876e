import { signal } from '@preact/signals'
import { ServerError } from '../server/index.ts'
import { STOPPED } from './chat-routes.ts'

/** Why the last thing that was tried failed. */
export class Faults {
  readonly last = signal<ServerError | undefined>(undefined)
  readonly #closed: AbortSignal

  /** @param closed after which nobody wants to know of failures */
  constructor(closed: AbortSignal) {
    this.#closed = closed
  }

  /** @returns undefined where the server refuses it, which is told */
  told<T>(asked: Promise<T>): Promise<T | undefined> {
    return asked.catch((error: unknown) => this.tell(error))
  }

  /** Tells only that the conversation does not exist any more. @throws an error that is none of the server */
  tellIfGone(error: unknown): void {
    const isOther = error instanceof ServerError && error.code !== 'CONVERSATION_UNKNOWN'
    if (!isOther) this.tell(error)
  }

  /** @throws an error that is none of the server */
  tell(error: unknown): undefined {
    if (this.#closed.aborted) return
    if (!(error instanceof ServerError)) throw error
    if (error.code !== STOPPED) this.last.value = error
  }
}
