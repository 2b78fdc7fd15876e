import type { Reported } from '@braidwork/core/internal'
import type { ContextItem, ContextResolvedEvent, Message } from '@braidwork/plugin'
import type { LegCompaction } from './compaction/index.ts'
import { isInserted } from './environment-hooks/index.ts'
import { summaryIn } from './history/index.ts'
import type { RunOptions } from './run-options.ts'

/** Tells what each request of a run consists of, beside what was said. LR-06 */
export class ToldContext {
  readonly #options: Pick<RunOptions, 'context' | 'messages'>
  /** What is the same in all requests. */
  #own: readonly ContextItem[] | undefined

  constructor(options: Pick<RunOptions, 'context' | 'messages'>) {
    this.#options = options
  }

  /** The event of a request. None if there is nothing to tell. */
  eventsOf(
    place: Pick<ContextResolvedEvent, 'requestId' | 'step'>,
    { items: reported, omitted }: Reported,
    compaction?: Pick<LegCompaction, 'replaced'>,
  ): readonly ContextResolvedEvent[] {
    const { context = [], messages } = this.#options
    this.#own ??= [...context, ...(typeof messages === 'string' ? [] : historyItems(messages))]
    const own = compaction
      ? [...this.#own.filter(({ kind }) => kind !== 'history'), historyItem(compaction)]
      : this.#own
    const items = [...own, ...reported]
    return items.length === 0 ? [] : [{ type: 'context-resolved', ...place, items, omitted }]
  }
}

/** What the messages themselves say: earlier ones that a summary replaced, and those that hooks inserted. */
function historyItems(messages: readonly Message[]): readonly ContextItem[] {
  return messages.flatMap((message): readonly ContextItem[] => {
    const made = summaryIn(message)
    if (made) return [historyItem(made)]
    if (!isInserted(message)) return []
    return [{ kind: 'knowledge', ref: 'a message of an environment hook', status: 'included' }]
  })
}

function historyItem({ replaced }: Pick<LegCompaction, 'replaced'>): ContextItem {
  const reason = `a summary took the place of ${replaced} messages`
  return { kind: 'history', ref: 'earlier messages', status: 'shortened', reason }
}
