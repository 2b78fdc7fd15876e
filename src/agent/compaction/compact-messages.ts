import { HostError, type Message } from '@braidwork/plugin'
import { tokensIn, tokensOf } from '../estimated-tokens.ts'
import { markerMessage, summaryIn } from '../history/index.ts'
import type { KeptFact } from '../storage/index.ts'
import type { CompactionPolicy } from './compaction-policy.ts'
import { findCut } from './cut.ts'
import { keptFacts } from './kept-facts.ts'
import { factsWithin, factTokens, isSaidFact, type StoredFacts } from './shown-facts.ts'
import { type AskModel, longestSummary, summarize } from './summarize.ts'

/** The share of a request that the facts of a compaction may take. */
const FACTS_SHARE = 0.25

/** Messages of which the older ones were replaced by a summary. */
export interface CompactedMessages {
  /** All messages for the next request: the system messages, the summary, and the messages that stay. */
  readonly messages: readonly Message[]
  readonly summary: string
  /** The number of messages that the summary replaces, those of earlier summaries included. */
  readonly replaced: number
  /** The estimated tokens of the messages, before and after. */
  readonly tokens: { readonly before: number; readonly after: number }
}

/** A summary of messages, and what it replaces. */
export interface Replacement extends StoredFacts {
  readonly summary: string
  /** The index of the first message that stays. */
  readonly cut: number
}

/** What an earlier compaction left. */
export interface Earlier {
  readonly summary: string
  readonly kept?: readonly KeptFact[]
}

/** Messages to replace, and those that follow them and stay. */
export interface ToReplace {
  readonly replaced: readonly Message[]
  readonly rest: readonly Message[]
  readonly earlier?: Earlier | undefined
}

/**
 * Summarizes the older ones of messages. AW-42, CT-21, LR-08
 * @throws {HostError} COMPACTION_NEEDLESS if none can be replaced; COMPACTION_FAILED; what `ask` throws
 */
export async function replaceOlder(
  messages: readonly Message[],
  policy: CompactionPolicy,
  ask: AskModel,
  earlier?: Earlier,
): Promise<Replacement> {
  const cut = findCut(messages, policy.suffix)
  if (cut === undefined) throw needless()
  const parts = { replaced: messages.slice(0, cut), rest: messages.slice(cut), earlier }
  return { cut, ...(await replacementOf(parts, policy, ask)) }
}

/** Summarizes messages. @throws {HostError} COMPACTION_FAILED; what `ask` throws */
export async function replacementOf(
  { replaced, rest, earlier }: ToReplace,
  policy: CompactionPolicy,
  ask: AskModel,
): Promise<Omit<Replacement, 'cut'>> {
  const spoken = replaced.filter(({ role }) => role !== 'system')
  const toSummarize = { messages: spoken, ...(earlier ? { previous: earlier.summary } : {}) }
  const summary = await summarize(toSummarize, policy, ask)
  // Words of the user may not take back what the summary saves.
  const saidBefore = factTokens(earlier?.kept?.filter(isSaidFact) ?? []) * (1 - policy.minSavings)
  const said = longestSummary(toSummarize, policy) + saidBefore - tokensOf(summary)
  const room = { all: policy.room * FACTS_SHARE, said }
  return { summary, ...factsWithin(keptFacts(replaced, rest, earlier?.kept), room) }
}

/**
 * Compacts messages that the caller keeps: a summary takes the place of the older ones. It may be done any number of
 * times. CT-25
 * @throws {HostError} as {@link replaceOlder}
 */
export async function compactMessages(
  given: readonly Message[],
  policy: CompactionPolicy,
  ask: AskModel,
): Promise<CompactedMessages> {
  const system = given.filter(({ role }) => role === 'system')
  const own = given.filter((message) => message.role !== 'system' && !summaryIn(message))
  const earlier = given.map(summaryIn).findLast((made) => made !== undefined)
  const { cut, ...made } = await replaceOlder(own, policy, ask, earlier)
  const { summary } = made
  const replaced = (earlier?.replaced ?? 0) + cut
  const messages = [...system, markerMessage({ ...made, replaced }), ...own.slice(cut)]
  return {
    messages,
    summary,
    replaced,
    tokens: { before: tokensIn(given), after: tokensIn(messages) },
  }
}

function needless(): HostError {
  const message =
    'Nothing can be compacted: the latest message of the user and what follows stay as they are, and before them there is too little.'
  return new HostError('COMPACTION_NEEDLESS', message)
}
