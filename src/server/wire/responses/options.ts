import type { ShownItems } from './held-items.ts'
import type { ResponseAbout } from './response.ts'

export interface ResponsesOptions extends ShownItems {
  /** Leaves out the events up to this sequence number, which a resuming client already has. */
  readonly startingAfter?: number
  readonly about?: ResponseAbout
  /** Whether a failure is an `error` event too, for clients that pass over `response.failed`. The default is false. */
  readonly hasErrorEvent?: boolean
}
