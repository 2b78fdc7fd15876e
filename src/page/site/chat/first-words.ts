import type { UiMessage } from '../message/index.ts'

const LONGEST_TITLE = 60

/** The words by which a chat is listed until somebody gives it a title: its first ones, or the names of its first files. */
export function firstWordsOf(messages: readonly UiMessage[]): string {
  const parts = messages[0]?.parts ?? []
  const said = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ')
  const named = parts.flatMap((part) =>
    part.type === 'file' && 'filename' in part ? [part.filename] : [],
  )
  const words = [said, named.join(', ')].map((text) => text.trim().replaceAll(/\s+/g, ' '))
  const title = words.find((text) => text !== '') ?? ''
  return title.length <= LONGEST_TITLE ? title : `${title.slice(0, LONGEST_TITLE - 1).trimEnd()}…`
}
