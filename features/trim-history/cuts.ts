import type { Message } from '@braidwork/plugin'

/** A possible cut of a conversation. */
export interface Cut {
  /** The index of the first message that is kept after the cut. */
  readonly from: number
  /** The index of a user message that must be kept although part of the answer to it is cut. */
  readonly head?: number
  /** The tokens that the cut removes. */
  readonly tokens: number
}

/**
 * The possible cuts of a conversation, smallest first: before a user message, or before a step of the answer to one;
 * never between a call and its result. After the last cut begins the part that the model needs to continue.
 */
export function cutsOf(messages: readonly Message[], sizes: readonly number[]): readonly Cut[] {
  const together = withEarlier(messages)
  const cuts: Cut[] = []
  let before = 0
  let head: { readonly at: number; readonly size: number } | undefined
  for (const [from, { role }] of messages.entries()) {
    if (role === 'system') continue
    const size = sizes[from] ?? 0
    if (role === 'user' && !together.has(from)) {
      head = { at: from, size }
      cuts.push({ from, tokens: before })
    } else if (role === 'assistant' && !together.has(from)) {
      cuts.push(
        head ? { from, head: head.at, tokens: before - head.size } : { from, tokens: before },
      )
    }
    before += size
  }
  const newest = messages.findLastIndex(({ role }) => role === 'user')
  const keepsNewest = (cut: Cut): boolean => cut.from <= newest || (cut.head ?? -1) === newest
  return cuts.filter((cut, at) => keepsNewest(cut) && cut.tokens > (cuts[at - 1]?.tokens ?? 0))
}

/** Indexes of messages that cannot be separated from earlier ones, because of calls and results across the border. */
function withEarlier(messages: readonly Message[]): ReadonlySet<number> {
  const answers = answersOf(messages)
  const together = new Set<number>()
  let last = -1
  for (const at of messages.keys()) {
    if (at <= last) together.add(at)
    last = Math.max(last, answers.get(at) ?? -1)
  }
  return together
}

/** For each message with calls, the index of the last message with a result of one of them. */
function answersOf(messages: readonly Message[]): ReadonlyMap<number, number> {
  const open = new Map<string, number>()
  const answers = new Map<number, number>()
  for (const [at, { parts }] of messages.entries()) {
    for (const part of parts) {
      if (part.type === 'tool-call') open.set(part.callId, at)
      if (part.type !== 'tool-result') continue
      const call = open.get(part.callId)
      if (call !== undefined) answers.set(call, at)
      open.delete(part.callId)
    }
  }
  return answers
}

/**
 * Chooses a cut that removes at least `least` and, if possible, at most `most` tokens. Cuts between turns are
 * preferred, and among them the one at which the removed tokens pass the roundest number. A growing conversation is
 * then cut at the same place for many requests, so that the provider's prompt cache stays valid; and a larger room
 * never removes more.
 */
export function chooseCut(cuts: readonly Cut[], least: number, most: number): Cut | undefined {
  const enough = cuts.findIndex(({ tokens }) => tokens >= least)
  if (enough === -1) return undefined
  const within = cuts.filter(({ tokens }) => tokens >= least && tokens <= most)
  const turns = within.filter(isBetweenTurns)
  if (turns.length > 0) return roundest(turns, cuts.filter(isBetweenTurns))
  return roundest(within, cuts) ?? cuts[enough]
}

const isBetweenTurns = ({ head }: Cut): boolean => head === undefined

/** The first of the roundest cuts among `some`. How round a cut is depends on the previous one in `all`. */
function roundest(some: readonly Cut[], all: readonly Cut[]): Cut | undefined {
  const isSome = new Set(some)
  let best: { readonly cut: Cut; readonly zeros: number } | undefined
  for (const [at, cut] of all.entries()) {
    // The highest bit that changes between two counts belongs to the roundest number between them.
    const zeros = 31 - Math.clz32(cut.tokens ^ (all[at - 1]?.tokens ?? 0))
    if (isSome.has(cut) && (best === undefined || zeros > best.zeros)) best = { cut, zeros }
  }
  return best?.cut
}
