import type { Message } from '../../events/index.ts'
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
    const callId = message.parts.flatMap((part) =>
      part.type === 'tool-call' && own.has(part.callId) ? [part.callId] : [],
    )[0]
    return (callId === undefined ? undefined : own.get(callId)?.messages) ?? [message]
  }

  #of(id: string): Map<string, Kept> {
    const own = this.#kept.get(id) ?? new Map<string, Kept>()
    this.#kept.set(id, own)
    const now = this.#now()
    for (const [callId, { until }] of own) if (until <= now) own.delete(callId)
    return own
  }
}
