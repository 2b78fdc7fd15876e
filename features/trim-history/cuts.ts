import type { Message } from '@braidwork/plugin'

/** A place before which messages are left out. */
export interface Cut {
  /** Index of the first message behind what is left out. */
  readonly from: number
  /** Index of the user's message whose answer is cut, as it has to stay. */
  readonly head?: number
  /** Tokens that are left out. */
  readonly tokens: number
}

/**
 * Where a conversation may be cut, the least first: before a message of the user, or before a step of the
 * answer to one; never between a call and its result. What follows the last of them is what the model is to
 * go on from.
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

/** Messages that stay with those before them: a call before them is answered by them, or behind them. */
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

/** For messages with calls, the last message with a result of one of them. */
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
 * The cut that leaves out at least `least` tokens and, where there is such a one, at most `most`: between
 * turns if it can, and where the tokens left out pass the roundest number. A conversation that grows is so
 * cut at the same place for long, and the provider's cache of its beginning holds; and a larger room never
 * leaves out more.
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

/** The first of the roundest among some cuts; how round one is says the one before it among all. */
function roundest(some: readonly Cut[], all: readonly Cut[]): Cut | undefined {
  const isSome = new Set(some)
  let best: { readonly cut: Cut; readonly zeros: number } | undefined
  for (const [at, cut] of all.entries()) {
    // The highest digit that changes from one count to the next is that of the roundest number between.
    const zeros = 31 - Math.clz32(cut.tokens ^ (all[at - 1]?.tokens ?? 0))
    if (isSome.has(cut) && (best === undefined || zeros > best.zeros)) best = { cut, zeros }
  }
  return best?.cut
}
