import type { StoredRun } from '@braidwork/agent'
import type { ToolSchema } from '@braidwork/plugin'
import type { RequestSettings, RunFacts } from './wire/index.ts'

/** What is kept with a run: how it was asked for. */
export interface RunOrder {
  readonly protocol: string
  /** The published name. */
  readonly model: string
  readonly messageId: string
  readonly createdAt: number
  readonly settings: RequestSettings
  /** Tools of the client. */
  readonly tools: readonly ToolSchema[]
  /** Whether calls may wait for a person's approval, as far as the protocol can ask for one. */
  readonly asks: boolean
  /** Of the request that began it, where it had an `Idempotency-Key`. */
  readonly digest?: string
  /** What is said of the run besides, whenever it is asked for. */
  readonly about?: object
}

/** How a run was asked for. */
export function orderOf({ order }: StoredRun): RunOrder {
  return order as unknown as RunOrder
}

/** What encoders are told of a run. */
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
