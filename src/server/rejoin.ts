import { isDeepStrictEqual } from 'node:util'
import type { Message, ToolCallPart } from '@braidwork/plugin'
import type { Identity } from './identity.ts'

/** How long hidden messages are kept for the client to continue, in milliseconds. */
const KEPT = 60 * 60_000
/** The number of calls of one identity for which messages are kept. */
const MOST = 1000
/** The number of characters of messages kept for one identity, and for all together. */
const MOST_CHARACTERS = 16 << 20
const MOST_OF_ALL = 128 << 20

interface Kept {
  readonly owner: string
  readonly until: number
  /** All messages of the run, including those that the client never saw. */
  readonly messages: readonly Message[]
  readonly callIds: readonly string[]
  /** The length of its JSON in characters. */
  readonly size: number
}

/** The messages kept for one identity. */
interface Own {
  readonly byCall: Map<string, Kept>
  /** In order of age, oldest first. */
  readonly answers: Set<Kept>
  size: number
}

/**
 * Keeps messages that a client with its own history never sees: the host's tool calls, their results, and the metadata
 * of providers. They are kept if a response ends with calls of the client's tools. When the next request of the client
 * contains that response, they are put back into it.
 */
export class Rejoiner {
  readonly #now: () => number
  readonly #kept = new Map<string, Own>()
  /** In order of age, oldest first. */
  readonly #all = new Set<Kept>()
  #size = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** Keeps the messages of a run that ended with calls of the client's tools. */
  keep(
    { id: owner }: Identity,
    messages: readonly Message[],
    clientTools: ReadonlySet<string>,
  ): void {
    const calls = callsIn(messages).filter(({ name }) => clientTools.has(name))
    const { length: size } = JSON.stringify(messages)
    if (calls.length === 0 || size > MOST_CHARACTERS) return
    const callIds = calls.map(({ callId }) => callId)
    this.#add({ owner, until: this.#now() + KEPT, messages, callIds, size })
  }

  #add(kept: Kept): void {
    const own = this.#kept.get(kept.owner) ?? { byCall: new Map(), answers: new Set(), size: 0 }
    this.#kept.set(kept.owner, own)
    for (const callId of kept.callIds) own.byCall.set(callId, kept)
    own.answers.add(kept)
    own.size += kept.size
    this.#all.add(kept)
    this.#size += kept.size
    for (const old of own.answers) {
      if (own.byCall.size <= MOST && own.size <= MOST_CHARACTERS) break
      this.#forget(old)
    }
    for (const old of this.#all) {
      if (this.#size <= MOST_OF_ALL && old.until > this.#now()) break
      this.#forget(old)
    }
  }

  #forget(kept: Kept): void {
    const own = this.#kept.get(kept.owner)
    if (!own?.answers.delete(kept)) return
    for (const callId of kept.callIds) {
      if (own.byCall.get(callId) === kept) own.byCall.delete(callId)
    }
    own.size -= kept.size
    if (own.answers.size === 0) this.#kept.delete(kept.owner)
    this.#all.delete(kept)
    this.#size -= kept.size
  }

  /** Returns a client's history with the hidden messages put back. */
  rejoin({ id }: Identity, messages: readonly Message[]): readonly Message[] {
    const own = this.#of(id)
    if (!own) return messages
    const open = new Set(own.values())
    return messages.flatMap((message) => this.#whole(message, own, open))
  }

  /** @param open the kept responses not put back yet; each appears in a history once */
  #whole(message: Message, own: ReadonlyMap<string, Kept>, open: Set<Kept>): readonly Message[] {
    if (message.role !== 'assistant') return [message]
    const calls = callsIn([message])
    const known = calls.find(({ callId }) => own.has(callId))
    const kept = known && own.get(known.callId)
    if (!kept || !open.has(kept) || !hasAll(kept.messages, calls)) return [message]
    open.delete(kept)
    return kept.messages
  }

  /** Returns the kept responses of an identity, by the ids of their calls. */
  #of(id: string): ReadonlyMap<string, Kept> | undefined {
    const now = this.#now()
    for (const kept of this.#kept.get(id)?.answers ?? []) {
      if (kept.until > now) break
      this.#forget(kept)
    }
    return this.#kept.get(id)?.byCall
  }
}

/**
 * Providers may use the same call ids in every conversation. A kept response matches only if the calls are equal as
 * well.
 */
function hasAll(messages: readonly Message[], calls: readonly ToolCallPart[]): boolean {
  const known = new Map(callsIn(messages).map((call) => [call.callId, call]))
  return calls.every(({ callId, name, input }) => {
    const one = known.get(callId)
    return one?.name === name && isDeepStrictEqual(one.input, input)
  })
}

function callsIn(messages: readonly Message[]): readonly ToolCallPart[] {
  return messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call'))
}
