import { EventEmitter, once } from 'node:events'
import type { Socket } from 'node:net'
import type { StreamResponse } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import type { RemoteAnswer } from './answer.ts'
import type { Updates } from './updates.ts'

/** How long a task is waited for and asked to be cancelled, in milliseconds. */
export const CANCEL = 5000

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
}

/**
 * Asks for the end of a task that nobody waits for. Whether it ends is the agent's. Returns when the request has left the
 * process, without waiting for its answer.
 */
export async function cancelTask(left: Left): Promise<void> {
  const { client, updates, answer, departures } = left
  if (!client) return
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), CANCEL)
  timer.unref()
  const id = answer.taskId ?? (await lateTask(updates, answer, limit.signal))
  if (id === undefined) return clearTimeout(timer)
  const answered = askFor(id, left, limit.signal).finally(() => clearTimeout(timer))
  await Promise.race([departures.next(), answered])
}

async function askFor(
  id: string,
  { client, target: tenant = '' }: Left,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client?.cancelTask({ tenant, id, metadata: undefined }, { signal })
  } catch {
    // Nobody waits for the answer: a task may be over already, and the agent may be away.
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
