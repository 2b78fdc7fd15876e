import type { Message, StreamResponse } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import type {
  AgentBackend,
  AgentEndpoint,
  BackendCapabilities,
  BackendFactory,
  RemoteOrder,
} from '@braidwork/agent'
import { linkSignals } from '@braidwork/core/internal'
import { HostError, type PartialEvent } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { Resolve } from '@braidwork/request-guard'
import { RemoteAnswer } from './answer.ts'
import { readCard } from './card.ts'
import { clientFor, fetchFor } from './client.ts'
import { type A2aEndpoint, readEndpoint } from './endpoint.ts'
import { contextIdFor, messageFor } from './message.ts'
import { pollTask } from './poll.ts'
import { Updates } from './updates.ts'

export interface A2aBackendOptions {
  /** Resolves host names. The default asks the system. */
  readonly resolve?: Resolve
}

/** What an agent of A2A can do. It has no tools of the caller, and answers a run once. AW-13 */
const CAPABILITIES: BackendCapabilities = {
  cancel: true,
  answers: true,
  clientTools: false,
  rereads: false,
  transcript: true,
}

const REPLACED = 'The remote agent replaced a text that was shown already. The answer has both.'

/** How long a task is waited for and asked to be cancelled, in milliseconds. */
const CANCEL = 5000

/**
 * Lets a runtime run agents of other servers by A2A, versions 1.0 and 0.3: `createRuntime({ backends: [a2aBackend()] })`.
 * The library of the protocol is loaded with the first run.
 */
export function a2aBackend({ resolve }: A2aBackendOptions = {}): BackendFactory {
  return {
    name: 'a2a',
    create: (endpoint) => new A2aBackend(readEndpoint(endpoint), resolve),
    discover: async (endpoint: AgentEndpoint, signal) => {
      const { base, timeout, ...rest } = readEndpoint(endpoint)
      const fetch = fetchFor({ base, timeout, ...rest }, resolve)
      const { name, description } = await readCard({ base, timeout, fetch, signal })
      return { name, ...(description === undefined ? {} : { description }) }
    },
  }
}

class A2aBackend implements AgentBackend {
  readonly capabilities = CAPABILITIES
  readonly #endpoint: A2aEndpoint
  readonly #resolve: Resolve | undefined

  constructor(endpoint: A2aEndpoint, resolve: Resolve | undefined) {
    this.#endpoint = endpoint
    this.#resolve = resolve
  }

  async *ask(order: RemoteOrder): AsyncIterable<readonly PartialEvent[]> {
    const { timeout, target } = this.#endpoint
    const stop = new AbortController()
    // The connection goes on for a while after the end of the run: the agent may not have told the task yet.
    const line = new AbortController()
    const unlink = linkSignals([order.signal], stop)
    const late = new HostError('TIMEOUT', `The remote agent took longer than ${timeout} ms.`)
    const timer = setTimeout(() => stop.abort(late), timeout)
    const answer = new RemoteAnswer()
    let client: Client | undefined
    let updates: Updates<StreamResponse> | undefined
    try {
      const fetch = fetchFor(this.#endpoint, this.#resolve)
      const found = await clientFor(this.#endpoint, fetch, stop.signal)
      client = found.client
      const asked = requestOf(this.#messageFor(order), target)
      updates = new Updates(client.sendMessageStream(asked, { signal: line.signal }))
      const { signal } = stop
      yield* taken(answer, updates.until(signal))
      signal.throwIfAborted()
      if (!found.streams) yield* taken(answer, pollTask({ client, answer, target, signal }))
      if (!answer.isOver) throw brokenOff()
      if (answer.hasReplaced) order.warn?.(REPLACED)
      yield answer.end()
    } catch (error) {
      if (stop.signal.aborted) await cancelTask({ client, updates, answer, target })
      throw stop.signal.reason === late ? late : this.#told(error, order.signal)
    } finally {
      clearTimeout(timer)
      line.abort()
      unlink()
    }
  }

  #messageFor(order: RemoteOrder): Message {
    const { base, target } = this.#endpoint
    const { conversationKey } = order
    const context =
      conversationKey === undefined ? undefined : contextIdFor(conversationKey, base.href, target)
    return messageFor(order, context)
  }

  /** An error of the client in the words of the host, without the token. */
  #told(error: unknown, signal: AbortSignal): unknown {
    const { token, base } = this.#endpoint
    if (signal.aborted || HostError.is(error)) return error
    const { cause } = error as { readonly cause?: unknown }
    if (HostError.is(cause)) return cause
    const text = messageOf(error)
    const message = token === undefined ? text : text.replaceAll(token, '***')
    const words = `The remote agent at "${base.host}" failed: ${message.slice(0, 1000)}`
    return new HostError('REMOTE_AGENT_FAILED', words)
  }
}

/** The events of updates, in lists as they arrive. */
async function* taken(
  answer: RemoteAnswer,
  updates: AsyncIterable<StreamResponse>,
): AsyncGenerator<readonly PartialEvent[], void, undefined> {
  for await (const update of updates) {
    const events = answer.take(update)
    if (events.length > 0) yield events
  }
}

function requestOf(message: Message, tenant = '') {
  const configuration = {
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    returnImmediately: false,
  }
  return { tenant, message, configuration, metadata: undefined }
}

function brokenOff(): HostError {
  const message = 'The remote agent ended its stream before its task was over.'
  return new HostError('REMOTE_AGENT_FAILED', message)
}

/** A request whose run is over. */
interface Left {
  readonly client: Client | undefined
  readonly updates: Updates<StreamResponse> | undefined
  readonly answer: RemoteAnswer
  readonly target: string | undefined
}

/** Asks for the end of a task that nobody waits for. Whether it ends is the agent's. */
async function cancelTask({ client, updates, answer, target: tenant = '' }: Left): Promise<void> {
  if (!client) return
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), CANCEL)
  const { signal } = limit
  try {
    const id = answer.taskId ?? (await lateTask(updates, answer, signal))
    if (id !== undefined) await client.cancelTask({ tenant, id, metadata: undefined }, { signal })
  } catch {
    // Nobody waits for the answer: a task may be over already, and the agent may be away.
  } finally {
    clearTimeout(timer)
  }
}

/** The task of which the agent tells after the end of the run. Undefined if there is none. */
async function lateTask(
  updates: Updates<StreamResponse> | undefined,
  answer: RemoteAnswer,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!updates) return undefined
  for await (const update of updates.until(signal)) {
    answer.take(update)
    if (answer.taskId !== undefined) return answer.taskId
  }
  return undefined
}
