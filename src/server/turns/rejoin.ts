import { isDeepStrictEqual } from 'node:util'
import type { Message, ToolCallPart } from '../../events/index.ts'
import type { Identity } from '../identity.ts'

/** How long, in milliseconds, what a client was not shown is kept for it to come back. */
const KEPT = 60 * 60_000
/** Most answers that are kept for one identity. */
const MOST = 1000

interface Kept {
  readonly until: number
  /** From the first message of the step that made the client's calls to the host's own results. */
  readonly messages: readonly Message[]
}

/**
 * What clients that keep their own history never see: host calls, their results and providers' metadata of
 * an answer that ended with calls of the client. It is put back where the client's history has that answer.
 * CONTRACT 5
 */
export class Rejoiner {
  readonly #now: () => number
  readonly #kept = new Map<string, Map<string, Kept>>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Keeps the messages of a run that ended with calls of the client. */
  keep({ id }: Identity, messages: readonly Message[], clientTools: ReadonlySet<string>): void {
    const kept = { until: this.#now() + KEPT, messages }
    const own = this.#of(id)
    for (const part of messages.flatMap(({ parts }) => parts)) {
      if (part.type === 'tool-call' && clientTools.has(part.name)) own.set(part.callId, kept)
    }
    for (const callId of own.keys()) {
      if (own.size <= MOST) break
      own.delete(callId)
    }
  }

  /** A client's history with what it was not shown. */
  rejoin({ id }: Identity, messages: readonly Message[]): readonly Message[] {
    const own = this.#of(id)
    return own.size === 0 ? messages : messages.flatMap((message) => this.#whole(message, own))
  }

  #whole(message: Message, own: ReadonlyMap<string, Kept>): readonly Message[] {
    if (message.role !== 'assistant') return [message]
    const calls = callsIn([message])
    const kept = calls.flatMap(({ callId }) => own.get(callId) ?? [])[0]?.messages
    return kept && hasAll(kept, calls) ? kept : [message]
  }

  #of(id: string): Map<string, Kept> {
    const own = this.#kept.get(id) ?? new Map<string, Kept>()
    this.#kept.set(id, own)
    const now = this.#now()
    for (const [callId, { until }] of own) if (until <= now) own.delete(callId)
    return own
  }
}

/** Providers may give the same ids in every conversation: an answer is that one only if its calls are the same. */
function hasAll(messages: readonly Message[], calls: readonly ToolCallPart[]): boolean {
  const known = callsIn(messages)
  return calls.every(({ callId, name, input }) =>
    known.some(
      (one) => one.callId === callId && one.name === name && isDeepStrictEqual(one.input, input),
    ),
  )
}

function callsIn(messages: readonly Message[]): readonly ToolCallPart[] {
  return messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call'))
}
