import { signal } from '@preact/signals'
import { ServerError } from '../server/index.ts'
import { type ChatRoutes, STOPPED } from './chat-routes.ts'
import { isOffline, untilReached } from './until-reached.ts'

interface FaultParts {
  readonly routes: Pick<ChatRoutes, 'reach'>
  /** After this nobody wants to know of failures. */
  readonly closed: AbortSignal
  /** The server is there again. */
  readonly onBack: () => void
}

/** Why the last thing that was tried failed. */
export class Faults {
  readonly last = signal<ServerError | undefined>(undefined)
  readonly #parts: FaultParts

  constructor(parts: FaultParts) {
    this.#parts = parts
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

  /** Tells an error. That the server is not there is told until it is. @throws an error that is none of the server */
  tell(error: unknown): undefined {
    this.show(error)
    if (isOffline(error)) void this.told(this.#whenBack(error))
  }

  /** Tells an error until something else is tried. @throws an error that is none of the server */
  show(error: unknown): undefined {
    if (this.#parts.closed.aborted) return
    if (!(error instanceof ServerError)) throw error
    if (error.code !== STOPPED) this.last.value = error
  }

  async #whenBack(error: ServerError): Promise<void> {
    const { routes, closed, onBack } = this.#parts
    await untilReached(() => routes.reach(), closed)
    if (closed.aborted) return
    if (this.last.value === error) this.last.value = undefined
    onBack()
  }
}
