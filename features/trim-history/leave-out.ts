import type { Message, TextPart } from '@braidwork/plugin'
import type { Cut } from './cuts.ts'

/** The note as a part of a message. It includes a gap, since parts are joined without a separator. */
export const asPart = {
  before: (note: string): TextPart => ({ type: 'text', text: `${note}\n\n` }),
  behind: (note: string): TextPart => ({ type: 'text', text: `\n\n${note}` }),
}

/** The messages without those that a cut removes, and with a note in their place. */
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

/** Adds the note to a user message: all APIs accept that, wherever they expect instructions. */
function withNote(message: Message, note: string, place: keyof typeof asPart): Message {
  const { role, parts } = message
  const isNoted = parts.some((part) => part.type === 'text' && part.text.trim() === note.trim())
  if (note.trim() === '' || role !== 'user' || isNoted) return message
  const part = asPart[place](note)
  return { ...message, parts: place === 'before' ? [part, ...parts] : [...parts, part] }
}
