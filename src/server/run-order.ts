import type { StoredRun } from '@braidwork/agent'
import type { ToolSchema } from '@braidwork/plugin'
import type { RequestSettings, RunFacts } from './wire/index.ts'

/** The request properties that are stored with a run. */
export interface RunOrder {
  readonly protocol: string
  /** The name of the published model. */
  readonly model: string
  readonly messageId: string
  readonly createdAt: number
  readonly settings: RequestSettings
  /** The tools that the client defined. */
  readonly tools: readonly ToolSchema[]
  /** Whether calls may wait for a person's approval. This depends on the protocol. */
  readonly asks: boolean
  /** The hash of the request that started the run, if it had an `Idempotency-Key`. */
  readonly digest?: string
  /** Further properties returned whenever a client retrieves the run. */
  readonly about?: object
}

/** Returns the request properties stored with a run. */
export function orderOf({ order }: StoredRun): RunOrder {
  return order as unknown as RunOrder
}

/** Returns the facts about a run that encoders need. */
export function factsOf(stored: StoredRun): RunFacts {
  const { messageId, model, createdAt, tools } = orderOf(stored)
  return {
    runId: stored.id,
    ...(stored.conversationId === undefined ? {} : { conversationId: stored.conversationId }),
    messageId,
    model,
    createdAt,
    clientTools: new Set(tools.map(({ name }) => name)),
  }
}
