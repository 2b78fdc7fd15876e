import { isObject, type Message } from '@braidwork/plugin'
import { hostMessage } from '../host-message.ts'
import type { CompactionMarker, KeptFact } from '../storage/index.ts'

/** What a compaction leaves for the model: the summary, what it replaces, and the facts that no summary may lose. */
export interface CompactionSummary
  extends Pick<CompactionMarker, 'summary' | 'replaced' | 'kept' | 'keptShown'> {
  /** The file with the replaced messages; null if it is gone. Absent if they were not stored. CT-24 */
  readonly archive?: string | null
}

const HEADINGS: { readonly [T in KeptFact['type']]: string } = {
  said: 'Said by the user, in these words',
  incident: 'Failed, and has not succeeded since',
  evidence: 'References that can still be used',
}

/**
 * The message that the model is shown in place of compacted messages. It is never an answer of the model (CT-22), and
 * no system message, since a summary is made of words of the user and of tools.
 */
export function markerMessage(made: CompactionSummary): Message {
  const { summary, replaced, kept = [], keptShown = kept.length } = made
  const count = replaced === undefined ? 'Earlier messages' : `${replaced} earlier messages`
  const texts = [
    `[${count} of this conversation were replaced by the following summary.${archiveText(made)}]`,
    summary,
    ...factTexts(kept.slice(kept.length - keptShown)),
    ...moreText(kept.length - keptShown, made),
    '[End of the summary.]',
  ]
  return hostMessage(texts.join('\n\n'), {
    compaction: { summary, replaced: replaced ?? 0, kept },
  })
}

/** What a message of {@link markerMessage} was made of. Undefined for any other message. */
export function summaryIn({
  metadata,
}: Message): Required<Pick<CompactionSummary, 'summary' | 'replaced' | 'kept'>> | undefined {
  const made = metadata?.['compaction']
  if (!isObject(made) || typeof made['summary'] !== 'string') return undefined
  const { summary, replaced, kept } = made
  return {
    summary,
    replaced: typeof replaced === 'number' ? replaced : 0,
    kept: Array.isArray(kept) ? (kept as readonly KeptFact[]) : [],
  }
}

function archiveText({ archive }: CompactionSummary): string {
  if (archive === undefined) return ''
  return archive === null
    ? ' Their archive is missing, so they cannot be read again.'
    : ` They are stored under the reference ${archive}.`
}

function factTexts(kept: readonly KeptFact[]): readonly string[] {
  return Object.entries(HEADINGS).flatMap(([type, heading]) => {
    const own = kept.filter((fact) => fact.type === type)
    return own.length > 0 ? [`${heading}:\n${own.map(({ text }) => `- ${text}`).join('\n')}`] : []
  })
}

function moreText(count: number, { archive }: CompactionSummary): readonly string[] {
  if (count === 0) return []
  const where = archive ? ` They are stored with the messages under the reference ${archive}.` : ''
  return [`${count} more errors or references have no room here.${where}`]
}
