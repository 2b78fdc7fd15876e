import { setTimeout as wait } from 'node:timers/promises'
import type { StreamResponse } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import type { RemoteAnswer } from './answer.ts'

/** Milliseconds before the first question. Each further wait is half as long again. */
const FIRST_MS = 100
const LONGEST_MS = 10_000

/** A task that is followed. */
export interface Following {
  readonly client: Client
  readonly answer: RemoteAnswer
  readonly target: string | undefined
  readonly signal: AbortSignal
}

/** Asks an agent for its task until that is over or waits, with waits that grow. @throws when the signal aborts */
export async function* pollTask({
  client,
  answer,
  target: tenant = '',
  signal,
}: Following): AsyncGenerator<StreamResponse, void, undefined> {
  const { taskId: id } = answer
  for (let ms = FIRST_MS; id !== undefined && !answer.isOver; ms = Math.min(LONGEST_MS, ms * 1.5)) {
    await wait(ms, undefined, { signal })
    const value = await client.getTask({ tenant, id, historyLength: 0 }, { signal })
    yield { payload: { $case: 'task', value } }
    // It may also wait with the question that it had before.
    if (answer.isWaiting) return
  }
}
