import { setTimeout as wait } from 'node:timers/promises'
import type { StreamResponse, Task } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import { codeOf } from '@braidwork/core/internal'
import type { RemoteAnswer } from './answer.ts'
import type { Reach } from './reach.ts'

/** Milliseconds before the first question. Each further wait is half as long again. */
const FIRST_MS = 100
const LONGEST_MS = 10_000
/** How long an agent may be away, in milliseconds: long enough for the restart of its server. */
const AWAY_MS = 60_000

/** A task that is followed. */
export interface Following {
  readonly client: Client
  readonly answer: RemoteAnswer
  readonly target: string | undefined
  readonly signal: AbortSignal
  readonly reach: Reach
  /** How long the agent may be away, in milliseconds. The default is a minute. */
  readonly awayMs?: number
}

/**
 * Asks an agent for its task, with waits that grow, until the task is over or waits, or an agent that was away is back. An
 * agent that is away is asked again for a minute.
 * @throws when the signal aborts; if the agent refuses the question, or stays away
 */
export async function* pollTask(
  following: Following,
): AsyncGenerator<StreamResponse, void, undefined> {
  const { answer, signal, awayMs = AWAY_MS } = following
  let left = awayMs
  let wasAway = false
  for (const ms of waits()) {
    if (answer.taskId === undefined || answer.isOver) return
    await wait(ms, undefined, { signal })
    const since = performance.now()
    const value = await taskOf(following).catch((error: unknown) => {
      left -= ms + performance.now() - since
      if (!isAway(error, following.reach) || left <= 0 || signal.aborted) throw error
      return undefined
    })
    if (value === undefined) {
      wasAway = true
      continue
    }
    left = awayMs
    yield { payload: { $case: 'task', value } }
    // It may also wait with the question that it had before.
    if (answer.isWaiting || wasAway) return
  }
}

/** Milliseconds between the questions to an agent. */
export function* waits(): Generator<number, never, undefined> {
  for (let ms = FIRST_MS; ; ms = Math.min(LONGEST_MS, ms * 1.5)) yield ms
}

/** Whether a request failed because nobody answered it: the same one may succeed later. */
export function isAway(error: unknown, reach: Reach): boolean {
  const { cause } = Object(error) as { readonly cause?: unknown }
  return reach.isAway || isBroken(error) || isBroken(cause)
}

/** Whether a connection broke. */
export function isBroken(error: unknown): boolean {
  return codeOf(error) === 'ECONNRESET'
}

function taskOf({ client, answer, target: tenant = '', signal }: Following): Promise<Task> {
  const { taskId: id = '' } = answer
  return client.getTask({ tenant, id, historyLength: 0 }, { signal })
}
