import { HostError, type Message } from '@braidwork/plugin'
import { tokensIn } from '../estimated-tokens.ts'
import { markerMessage, summaryIn } from '../history/index.ts'
import type { KeptFact } from '../storage/index.ts'
import type { CompactionPolicy } from './compaction-policy.ts'
import { findCut } from './cut.ts'
import { keptFacts } from './kept-facts.ts'
import { type AskModel, summarize } from './summarize.ts'

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
export interface Replacement {
  readonly summary: string
  /** The index of the first message that stays. */
  readonly cut: number
  readonly kept: readonly KeptFact[]
}

/** What an earlier compaction left. */
export interface Earlier {
  readonly summary: string
  readonly kept?: readonly KeptFact[]
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
  const replaced = messages.slice(0, cut)
  const spoken = replaced.filter(({ role }) => role !== 'system')
  const previous = earlier ? { previous: earlier.summary } : {}
  const summary = await summarize({ messages: spoken, ...previous }, policy, ask)
  return { summary, cut, kept: keptFacts(replaced, messages.slice(cut), earlier?.kept) }
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
  const { summary, cut, kept } = await replaceOlder(own, policy, ask, earlier)
  const replaced = (earlier?.replaced ?? 0) + cut
  const messages = [...system, markerMessage({ summary, replaced, kept }), ...own.slice(cut)]
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
