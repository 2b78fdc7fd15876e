import type { Message, StreamResponse } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import type {
  AgentBackend,
  AgentEndpoint,
  BackendCapabilities,
  BackendFactory,
  RemoteOrder,
} from '@braidwork/agent'
import { tokenMask } from '@braidwork/agent/internal'
import { linkSignals } from '@braidwork/core/internal'
import { HostError, type PartialEvent } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { Resolve } from '@braidwork/request-guard'
import { RemoteAnswer } from './answer.ts'
import { CANCEL, cancelTask, Departures } from './cancel.ts'
import { readCard } from './card.ts'
import { type AgentClient, clientFor, fetchFor } from './client.ts'
import { type A2aEndpoint, readEndpoint } from './endpoint.ts'
import { follow } from './follow.ts'
import { contextIdFor, markFor, messageFor } from './message.ts'
import { isBroken } from './poll.ts'
import { Reach } from './reach.ts'
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
    const contextId = this.#contextFor(order)
    const answer = new RemoteAnswer(markFor(order, contextId), {
      mask: (text) => this.#masked(text),
      canReset: order.restart !== undefined,
    })
    const departures = new Departures()
    const reach = new Reach()
    let client: Client | undefined
    let updates: Updates<StreamResponse> | undefined
    try {
      const { signal } = stop
      const found = await this.#client(signal, departures, reach)
      client = found.client
      const asked = requestOf(messageFor(order, contextId), target, found.streams)
      updates = new Updates(client.sendMessageStream(asked, { signal: line.signal }))
      const following = { client, answer, target, signal, reach }
      const followed = follow(following, updates, found.streams)
      for await (const update of followed) yield* shown(answer.take(update), answer, order)
      signal.throwIfAborted()
      yield* shown(answer.end(), answer, order)
      if (answer.hasReplaced) order.warn?.(REPLACED)
      if (answer.isWaiting) order.onQuestion?.()
    } catch (error) {
      if (stop.signal.aborted || answer.isUnderWay)
        await cancelTask({ client, updates, answer, target, departures, reach })
      throw stop.signal.reason === late ? late : this.#told(error, order.signal)
    } finally {
      clearTimeout(timer)
      line.abort()
      unlink()
    }
  }

  async abandon({ messages }: Pick<RemoteOrder, 'messages'>): Promise<void> {
    const mark = markFor({ messages, isAnswer: true }, undefined)
    if (mark?.taskId === undefined) return
    const { target } = this.#endpoint
    const departures = new Departures()
    const reach = new Reach()
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), CANCEL)
    try {
      const { client } = await this.#client(limit.signal, departures, reach)
      const answer = new RemoteAnswer(mark)
      await cancelTask({ client, updates: undefined, answer, target, departures, reach })
    } catch {
      // Nobody waits for the task: its agent may be away.
    } finally {
      clearTimeout(timer)
    }
  }

  /** Masks the token in a text that is cut. The runtime masks it in all others. */
  #masked(text: string): string {
    const { token } = this.#endpoint
    return token === undefined ? text : tokenMask(token).text(text)
  }

  #client(signal: AbortSignal, { onSent }: Departures, { onReply }: Reach): Promise<AgentClient> {
    const fetch = fetchFor(this.#endpoint, this.#resolve, { onSent, onReply })
    return clientFor(this.#endpoint, fetch, signal)
  }

  #contextFor({ conversationKey }: RemoteOrder): string | undefined {
    const { base, target } = this.#endpoint
    return conversationKey === undefined
      ? undefined
      : contextIdFor(conversationKey, base.href, target)
  }

  /** An error of the client in the words of the host. */
  #told(error: unknown, signal: AbortSignal): unknown {
    const { base } = this.#endpoint
    if (signal.aborted || HostError.is(error)) return error
    const { cause } = error as { readonly cause?: unknown }
    if (HostError.is(cause)) return cause
    if (isBroken(error) || isBroken(cause)) {
      const words = `The connection to the remote agent at "${base.host}" broke before its answer was complete.`
      return new HostError('REMOTE_AGENT_FAILED', words, { cause: error })
    }
    const reason = this.#masked(messageOf(error)).slice(0, 1000)
    const words = `The remote agent at "${base.host}" failed: ${reason}`
    return new HostError('REMOTE_AGENT_FAILED', words)
  }
}

/** Passes events of the answer on, behind a restart if they are one. */
async function* shown(
  events: readonly PartialEvent[],
  answer: RemoteAnswer,
  { restart }: RemoteOrder,
): AsyncGenerator<readonly PartialEvent[], void, undefined> {
  if (answer.restarts()) await restart?.()
  if (events.length > 0) yield events
}

/** An agent without streams tells of a new task at once, so that it can be cancelled. */
function requestOf(message: Message, tenant: string | undefined, streams: boolean) {
  const configuration = {
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    returnImmediately: !streams && message.taskId === '',
  }
  return { tenant: tenant ?? '', message, configuration, metadata: undefined }
}
