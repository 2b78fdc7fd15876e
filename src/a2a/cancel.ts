import { EventEmitter, once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { StreamResponse } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import type { RemoteAnswer } from './answer.ts'
import { isAway, waits } from './poll.ts'
import type { Reach } from './reach.ts'
import type { Updates } from './updates.ts'

/** How long a task is waited for and asked to be cancelled, in milliseconds. */
export const CANCEL = 5000
/** How long an agent that is away is asked again to cancel a task, in milliseconds. */
const CANCEL_LATER = 300_000

/** Tells when requests have left the process. */
export class Departures {
  readonly #events = new EventEmitter<{ sent: [Socket | null] }>()

  readonly onSent = (socket: Socket | null): void => {
    this.#events.emit('sent', socket)
  }

  /** Resolves when the next request has left. Its answer does not keep the process alive. */
  async next(): Promise<void> {
    const [socket] = (await once(this.#events, 'sent')) as [Socket | null]
    socket?.unref()
  }
}

/** A request whose run is over. */
interface Left {
  readonly client: Client | undefined
  readonly updates: Updates<StreamResponse> | undefined
  readonly answer: RemoteAnswer
  readonly target: string | undefined
  readonly departures: Departures
  readonly reach: Reach
}

/**
 * Asks for the end of a task that nobody waits for. Whether it ends is the agent's. Returns when the request has left the
 * process, without waiting for its answer. An agent that is away is asked again for some minutes, as long as this process
 * lives: what it works on in the meantime costs money.
 */
export async function cancelTask(left: Left): Promise<void> {
  const { client, updates, answer, departures } = left
  if (!client) return
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), CANCEL)
  timer.unref()
  const id = answer.taskId ?? (await lateTask(updates, answer, limit.signal))
  if (id === undefined) return clearTimeout(timer)
  const isTold = askFor(id, left, limit.signal).finally(() => clearTimeout(timer))
  void askLater(id, left, isTold)
  await Promise.race([departures.next(), isTold])
}

async function askLater(id: string, left: Left, isTold: Promise<boolean>): Promise<void> {
  const until = performance.now() + CANCEL_LATER
  let isDone = await isTold
  for (const ms of waits()) {
    if (isDone || performance.now() > until) return
    // The process may end meanwhile.
    await wait(ms, undefined, { ref: false })
    isDone = await askFor(id, left, AbortSignal.timeout(CANCEL))
  }
}

/** Returns whether the agent was reached. Its answer does not matter: a task may be over already. */
async function askFor(
  id: string,
  { client, target: tenant = '', reach }: Left,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await client?.cancelTask({ tenant, id, metadata: undefined }, { signal })
    return true
  } catch (error) {
    return !isAway(error, reach)
  }
}

/** The task of which the agent tells after the end of the run. Undefined if there is none. */
async function lateTask(
  updates: Updates<StreamResponse> | undefined,
  answer: RemoteAnswer,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!updates) return undefined
  try {
    for await (const update of updates.until(signal)) {
      answer.take(update)
      if (answer.taskId !== undefined) return answer.taskId
    }
  } catch {
    // The agent tells of a task that has failed, or of none in time.
  }
  return undefined
}
