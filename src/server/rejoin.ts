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
  /** The ids of the client's calls. */
  readonly callIds: readonly string[]
  /** All its calls, by each id under which the client may send one back. */
  readonly calls: ReadonlyMap<string, ToolCallPart>
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

  /**
   * Keeps the messages of a run that ended with calls of the client's tools.
   * @param shownIds the ids of the host's calls, by the ids under which the client was shown them
   */
  keep(
    { id: owner }: Identity,
    messages: readonly Message[],
    clientTools: ReadonlySet<string>,
    shownIds: ReadonlyMap<string, string> = new Map(),
  ): void {
    const calls = new Map(callsIn(messages).map((call) => [call.callId, call]))
    const { length: size } = JSON.stringify(messages)
    const own = [...calls.values()].filter(({ name }) => clientTools.has(name))
    if (own.length === 0 || size > MOST_CHARACTERS) return
    const callIds = own.map(({ callId }) => callId)
    for (const [shown, callId] of shownIds) {
      const call = calls.get(callId)
      if (call) calls.set(shown, call)
    }
    this.#add({ owner, until: this.#now() + KEPT, messages, callIds, calls, size })
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
    const whole: Message[] = []
    /** The response that was put back last, until another message than a result follows. */
    let last: Kept | undefined
    for (const message of messages) {
      if (message.role === 'tool') {
        whole.push(...(last ? withoutResults(message, last) : [message]))
        continue
      }
      const kept = message.role === 'assistant' ? keptOf(message, own) : undefined
      last = kept && open.delete(kept) ? kept : undefined
      if (last) dropShown(whole, last)
      whole.push(...(last?.messages ?? [message]))
    }
    return whole
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
 * Returns the kept response that a message is a part of. Providers may use the same call ids in every conversation, so
 * the calls must be equal as well.
 */
function keptOf(message: Message, own: ReadonlyMap<string, Kept>): Kept | undefined {
  const calls = callsIn([message])
  const known = calls.find(({ callId }) => own.has(callId))
  const kept = known && own.get(known.callId)
  return kept && calls.every((call) => isOf(kept, call)) ? kept : undefined
}

function isOf(kept: Kept, { callId, name, input }: ToolCallPart): boolean {
  const one = kept.calls.get(callId)
  return one?.name === name && isDeepStrictEqual(one.input, input)
}

/** Drops the messages at the end of a history in which a client sends back the host's calls of a response. */
function dropShown(history: Message[], kept: Kept): void {
  for (let last = history.at(-1); last !== undefined; last = history.at(-1)) {
    const calls = callsIn([last])
    const isShown =
      last.role === 'tool'
        ? withoutResults(last, kept).length === 0
        : calls.length > 0 && calls.every((call) => isOf(kept, call))
    if (!isShown) return
    history.pop()
  }
}

/** Removes the results of the host's calls of a response. */
function withoutResults(message: Message, { messages, calls }: Kept): readonly Message[] {
  const ended = resultsIn(messages)
  const parts = message.parts.filter(
    (part) => part.type !== 'tool-result' || !ended.has(calls.get(part.callId)?.callId ?? ''),
  )
  if (parts.length === message.parts.length) return [message]
  return parts.length === 0 ? [] : [{ ...message, parts }]
}

function resultsIn(messages: readonly Message[]): ReadonlySet<string> {
  const parts = messages.flatMap((message) => (message.role === 'tool' ? message.parts : []))
  return new Set(parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : [])))
}

function callsIn(messages: readonly Message[]): readonly ToolCallPart[] {
  return messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call'))
}
