import type { Result } from '@braidwork/core'
import type { Config, MessagesInput, ModelInfo } from '@braidwork/plugin'

/** One request of a run to a model, with its result. */
export interface RunAnswer {
  readonly result: Result
  /** All messages of the request. */
  readonly messages: MessagesInput
  readonly model: { readonly info: ModelInfo; readonly config: Config }
  readonly seconds: number
  /** The seconds until the first output. Absent if there was none. */
  readonly firstSeconds?: number
}
