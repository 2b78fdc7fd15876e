import type { Message, TextPart } from 'braidwork/plugin'
import type { Cut } from './cuts.ts'

/** Parts of a message are joined as they are; this keeps the note apart. */
const GAP = '\n\n'

/** The messages without those that a cut leaves out, and with a note where they stood. */
export function leaveOut(
  messages: readonly Message[],
  { from, head }: Cut,
  note: string,
): readonly Message[] {
  return messages.flatMap((message, at) => {
    if (at === head) return [withNote(message, note, 'behind')]
    if (at === from && head === undefined) return [withNote(message, note, 'before')]
    return at >= from || message.role === 'system' ? [message] : []
  })
}

/** A part more in a message of the user: every API takes that, wherever it wants its instructions. */
function withNote(message: Message, note: string, place: 'before' | 'behind'): Message {
  const { role, parts } = message
  const isNoted = parts.some((part) => part.type === 'text' && part.text.trim() === note.trim())
  if (note.trim() === '' || role !== 'user' || isNoted) return message
  const part: TextPart = {
    type: 'text',
    text: place === 'before' ? `${note}${GAP}` : `${GAP}${note}`,
  }
  return { ...message, parts: place === 'before' ? [part, ...parts] : [...parts, part] }
}
