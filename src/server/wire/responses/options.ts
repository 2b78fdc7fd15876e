import type { ShownItems } from './held-items.ts'
import type { ResponseAbout } from './response.ts'

export interface ResponsesOptions extends ShownItems {
  /** Leaves out the events up to this sequence number, which a resuming client already has. */
  readonly startingAfter?: number
  readonly about?: ResponseAbout
  /** Whether an `error` event comes before `response.failed`, which some clients pass over. The default is false. */
  readonly hasErrorEvent?: boolean
}
