import type { CallerTool, ConfigLayer, Result } from '@braidwork/core'
import type { Config, MessagesInput, ModelInfo } from '@braidwork/plugin'
import type { Resumption } from './approvals.ts'
import type { Environment } from './environment.ts'

export interface RunOptions {
  readonly config?: ConfigLayer
  readonly messages: MessagesInput
  readonly signal?: AbortSignal
  /** Tools of the caller; calls of those without `execute` end the run. */
  readonly tools?: readonly CallerTool[]
  /** By default `limits.max_rounds` of the config, 16. */
  readonly maxSteps?: number
  readonly conversationId?: string
  /** By default a new one. */
  readonly runId?: string
  /** Goes on with a run that waits for approvals; `messages` are then all up to and with its last. */
  readonly resume?: Resumption
  readonly environment?: Environment
  /** Is told of each request to a model when it is over, whole or cut, before anything follows from it. */
  readonly onAnswer?: (answer: RunAnswer) => void
}

/** One request of a run to a model, and what came of it. */
export interface RunAnswer {
  readonly result: Result
  /** All that the model was shown. */
  readonly messages: MessagesInput
  readonly model: { readonly info: ModelInfo; readonly config: Config }
  readonly seconds: number
}
