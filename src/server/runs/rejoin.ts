import type { Message } from '@braidwork/plugin'
import type { Identity } from '../identity.ts'
import { PacedHash } from '../paced-hash.ts'
import type { WireRequest } from '../wire/index.ts'
import {
  endOfAnswer,
  type GivenAnswer,
  type KeptAnswer,
  keptAnswer,
  withoutResults,
} from './kept-answer.ts'

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
  readonly answer: KeptAnswer
  /** The length of its JSON in characters. */
  readonly size: number
}

/** The messages kept for one identity. */
interface Own {
  /** By the place of the answer. The newest is the last. */
  readonly byPlace: Map<string, Kept[]>
  /** In order of age, oldest first. */
  readonly answers: Set<Kept>
  calls: number
  size: number
}

/** A history with the hidden messages put back. */
export interface Rejoined {
  readonly messages: readonly Message[]
  /** The place of the answer to it, if that may have hidden messages. */
  readonly place?: string
}

/**
 * Keeps messages that a client with its own history never sees: the host's tool calls, their results, and the metadata
 * of providers. They are kept if a response ends with calls of the client's tools. When the next request of the client
 * contains that response, they are put back into it. Call ids do not say that, since model APIs repeat them: the client
 * must send the same history before the response, and of the response all that it was shown.
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
  keep({ id: owner }: Identity, given: GivenAnswer): void {
    const { length: size } = JSON.stringify(given.messages)
    if (size > MOST_CHARACTERS) return
    const answer = keptAnswer(given)
    if (answer.callIds.size === 0) return
    this.#add({ owner, until: this.#now() + KEPT, answer, size })
  }

  #add(kept: Kept): void {
    const { owner, answer, size } = kept
    const own = this.#kept.get(owner) ?? {
      byPlace: new Map(),
      answers: new Set(),
      calls: 0,
      size: 0,
    }
    this.#kept.set(owner, own)
    own.byPlace.set(answer.place, [...(own.byPlace.get(answer.place) ?? []), kept])
    own.answers.add(kept)
    own.calls += answer.callIds.size
    own.size += size
    this.#all.add(kept)
    this.#size += size
    for (const old of own.answers) {
      if (own.calls <= MOST && own.size <= MOST_CHARACTERS) break
      this.#forget(old)
    }
    for (const old of this.#all) {
      if (this.#size <= MOST_OF_ALL && old.until > this.#now()) break
      this.#forget(old)
    }
  }

  #forget(kept: Kept): void {
    const { owner, answer, size } = kept
    const own = this.#kept.get(owner)
    if (!own?.answers.delete(kept)) return
    const rest = (own.byPlace.get(answer.place) ?? []).filter((one) => one !== kept)
    if (rest.length > 0) own.byPlace.set(answer.place, rest)
    else own.byPlace.delete(answer.place)
    own.calls -= answer.callIds.size
    own.size -= size
    if (own.answers.size === 0) this.#kept.delete(owner)
    this.#all.delete(kept)
    this.#size -= size
  }

  /** The ids of the calls of all answers that are kept for a place: those of a further answer must differ. */
  callIdsAt({ id }: Identity, place: string): readonly string[] {
    const found = this.#of(id)?.get(place) ?? []
    return found.flatMap(({ answer }) => [...answer.calls.keys()])
  }

  /** Puts the hidden messages back into a client's history. */
  async rejoin(
    { id }: Identity,
    { agent, tools }: Pick<WireRequest, 'agent' | 'tools'>,
    messages: readonly Message[],
  ): Promise<Rejoined> {
    const byPlace = this.#of(id)
    if (!byPlace && tools.length === 0) return { messages }
    const places = await placesIn(messages)
    const whole: Message[] = []
    let at = 0
    for (let message = messages[at]; message; message = messages[at]) {
      const found = byPlace?.get(places[at] ?? '') ?? []
      const fit = fitting(found, agent, (answer) => endOfAnswer(messages, at, answer))
      if (!fit) {
        whole.push(message)
        at++
        continue
      }
      whole.push(...fit.answer.messages)
      at = fit.end
      for (let next = messages[at]; next?.role === 'tool'; next = messages[++at]) {
        whole.push(...withoutResults(next, fit.answer))
      }
    }
    return { messages: whole, place: places.at(-1) ?? '' }
  }

  /** Returns the kept answers of an identity, by their places. */
  #of(id: string): ReadonlyMap<string, readonly Kept[]> | undefined {
    const now = this.#now()
    for (const kept of this.#kept.get(id)?.answers ?? []) {
      if (kept.until > now) break
      this.#forget(kept)
    }
    return this.#kept.get(id)?.byPlace
  }
}

interface Fit {
  readonly answer: KeptAnswer
  /** Where the answer ends in the history. */
  readonly end: number
}

/** Of several answers that fit, returns that of the agent itself, or else the newest one. */
function fitting(
  found: readonly Kept[],
  agent: string | undefined,
  endOf: (answer: KeptAnswer) => number | undefined,
): Fit | undefined {
  const fits = found.flatMap(({ answer }) => {
    const end = endOf(answer)
    return end === undefined ? [] : [{ answer, end }]
  })
  return fits.findLast(({ answer }) => answer.agent === agent) ?? fits.at(-1)
}

/**
 * Returns digests of a history: before each message of the assistant, and after the last message. Reasoning and the
 * metadata of providers do not count, because clients drop them later.
 */
async function placesIn(messages: readonly Message[]): Promise<readonly string[]> {
  const hash = new PacedHash()
  const places: string[] = []
  for (const message of messages) {
    places.push(message.role === 'assistant' ? hash.digest() : '')
    await hash.add(textOf(message))
  }
  return [...places, hash.digest()]
}

function textOf({ role, parts }: Message): string {
  const told = parts.filter(({ type }) => type !== 'reasoning')
  return JSON.stringify([role, ...told.map(({ providerMetadata: _, ...part }) => part)])
}
