import type { Message } from '@braidwork/plugin'
import type { KeptFact } from '../storage/index.ts'
import type { MarkerNode } from './path.ts'

const HEADINGS: { readonly [T in KeptFact['type']]: string } = {
  incident: 'Failed, and has not succeeded since',
  evidence: 'References that can still be used',
}

const NO_ARCHIVE = 'Their archive is missing, so they cannot be read again.'

/**
 * The message that the model is shown in place of compacted messages. It is never an answer of the model (CT-22), and
 * no system message, since a summary is made of words of the user and of tools.
 */
export function markerMessage({ marker, isArchiveMissing }: MarkerNode): Message {
  const { summary, replaced, kept = [], archive } = marker
  const count = replaced === undefined ? 'Earlier messages' : `${replaced} earlier messages`
  const stored = isArchiveMissing ? NO_ARCHIVE : `They are stored under the reference ${archive}.`
  const texts = [
    `[${count} of this conversation were replaced by the following summary. ${stored}]`,
    summary,
    ...factTexts(kept),
    '[End of the summary.]',
  ]
  return {
    role: 'user',
    parts: [{ type: 'text', text: texts.join('\n\n') }],
    metadata: { insertedBy: 'host', compaction: true },
  }
}

function factTexts(kept: readonly KeptFact[]): readonly string[] {
  return Object.entries(HEADINGS).flatMap(([type, heading]) => {
    const own = kept.filter((fact) => fact.type === type)
    return own.length > 0 ? [`${heading}:\n${own.map(({ text }) => `- ${text}`).join('\n')}`] : []
  })
}
