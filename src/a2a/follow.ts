import type { StreamResponse } from '@a2a-js/sdk'
import { HostError } from '@braidwork/plugin'
import type { RemoteAnswer } from './answer.ts'
import { type Following, pollTask } from './poll.ts'
import type { Updates } from './updates.ts'

type Read = AsyncGenerator<StreamResponse, Error | undefined, undefined>

/**
 * The updates of a task to its end. Where a connection breaks, a further one goes on with the task, or else it is asked
 * for, also where the agent is away for a while. The reader takes each update into the answer before the next one.
 * @throws what broke the first connection, if the task cannot be followed; the reason of the signal
 */
export async function* follow(
  following: Following,
  updates: Updates<StreamResponse>,
  streams: boolean,
): AsyncGenerator<StreamResponse, void, undefined> {
  const { answer, signal } = following
  const broken = yield* guarded(updates.until(signal), signal)
  const fault = broken ?? (streams ? brokenOff() : undefined)
  if (answer.isOver) return
  if (answer.taskId === undefined) throw fault ?? brokenOff()
  answer.reread()
  // An agent that was away is back: its stream tells more than questions.
  do {
    if (streams) yield* resubscribed(following)
    const polled = yield* guarded(pollTask(following), signal)
    if (polled !== undefined) throw fault ?? polled
  } while (!isEnded(answer))
}

/** It may also wait with the question that it had before. */
function isEnded(answer: RemoteAnswer): boolean {
  return answer.isOver || answer.isWaiting
}

/** Goes on with the task for as long as its further connections bring something. */
async function* resubscribed(
  following: Following,
): AsyncGenerator<StreamResponse, void, undefined> {
  const { client, answer, target: tenant = '', signal } = following
  // Version 0.3 does not say first where the task is, so updates between the connections would be lost.
  if (client.protocolVersion.startsWith('0.')) return
  const { taskId: id = '' } = answer
  for (let isNew = true; isNew && !answer.isOver; ) {
    isNew = false
    let isFirst = true
    for await (const update of guarded(
      client.resubscribeTask({ tenant, id }, { signal }),
      signal,
    )) {
      if (isFirst && update.payload?.$case !== 'task') return
      isNew ||= !isFirst
      isFirst = false
      yield update
    }
  }
}

/** Passes updates on. Returns the error that ends them, unless it is that of the signal. */
async function* guarded(source: AsyncIterable<StreamResponse>, signal: AbortSignal): Read {
  try {
    yield* source
    return undefined
  } catch (error) {
    signal.throwIfAborted()
    return error instanceof Error ? error : new Error(String(error))
  }
}

function brokenOff(): HostError {
  const message = 'The remote agent ended its stream before its task was over.'
  return new HostError('REMOTE_AGENT_FAILED', message)
}
