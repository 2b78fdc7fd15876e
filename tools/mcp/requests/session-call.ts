import type {
  Elicitation,
  ElicitationAnswer,
  SamplingAnswer,
  SamplingRequest,
} from './server-questions.ts'

/** A call as the server may ask about it. */
export interface SessionCall {
  /** The run and conversation that the call belongs to: a question for one is not asked of another. */
  readonly owner: string
  /** Whether it waits for a person already. */
  readonly isWaiting: boolean
  ask(elicitation: Elicitation): Promise<ElicitationAnswer>
  /** Asks the model. */
  sample(request: SamplingRequest): Promise<SamplingAnswer>
}

export interface CallOptions {
  readonly signal: AbortSignal
  readonly call: SessionCall
  readonly onProgress?: (progress: unknown) => void
  /** The tool as the run knows it. */
  readonly definition?: object
}
