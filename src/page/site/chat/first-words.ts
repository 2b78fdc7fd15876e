import type { Chat } from './chat.ts'

const LONGEST_TITLE = 60

/** The first words of a chat, by which it is listed until somebody gives it a title. */
export function firstWordsOf({ messages }: Chat): string {
  const parts = messages.value[0]?.parts ?? []
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ')
  const words = text.trim().replaceAll(/\s+/g, ' ')
  return words.length <= LONGEST_TITLE ? words : `${words.slice(0, LONGEST_TITLE - 1).trimEnd()}…`
}
