import type { Message } from '@braidwork/plugin'
import { tokensIn } from '../estimated-tokens.ts'

/** A compaction replaces at least so many messages and, by an estimate, so many tokens. AW-42 */
const LEAST_MESSAGES = 2
const LEAST_TOKENS = 1024

/**
 * Finds where to cut a history: the index of the first message that stays as it is. Undefined if no cut is safe, or
 * none is worth it. At least one message stays, so that what follows it meanwhile does too. Everything from the latest user message on stays, and so do the `suffix` newest messages. A call
 * stays together with its results, and an open call stays. AW-42
 */
export function findCut(messages: readonly Message[], suffix: number): number | undefined {
  const latest = messages.findLastIndex(({ role }) => role === 'user')
  const most = Math.min(
    latest < 0 ? messages.length : latest,
    messages.length - Math.max(1, suffix),
  )
  const cut = safeCuts(messages).findLast((at) => at <= most)
  if (cut === undefined) return undefined
  const replaced = messages.slice(0, cut).filter(({ role }) => role !== 'system')
  return replaced.length >= LEAST_MESSAGES && tokensIn(replaced) >= LEAST_TOKENS ? cut : undefined
}

/** The places between messages at which no call is open, in order. */
function safeCuts(messages: readonly Message[]): readonly number[] {
  const open = new Set<string>()
  const safe: number[] = []
  for (const [at, { parts }] of messages.entries()) {
    if (open.size === 0 && at > 0) safe.push(at)
    for (const part of parts) {
      if (part.type === 'tool-call' && !part.providerExecuted) open.add(part.callId)
      else if (part.type === 'tool-result') open.delete(part.callId)
    }
  }
  if (open.size === 0) safe.push(messages.length)
  return safe
}
