import { isOfHost } from '../host-message.ts'
import type { NewEntry } from './conversations.ts'

/** The most words that are looked for one by one. What stands behind them is looked for as it stands. */
const MOST_WORDS = 8

/**
 * The most characters of a message that are searched. The letters of larger ones would take longer to fold than
 * others may be made to wait.
 */
const MOST_SEARCHED = 1 << 17

/**
 * The beginning of the text that people read of a message of a user or of the model, on one line. Empty for all other
 * entries, and for messages that the host inserted.
 */
export function searchedIn(entry: NewEntry): string {
  if (entry.kind !== 'message') return ''
  const { role, parts } = entry.message
  if (role !== 'user' && role !== 'assistant') return ''
  if (isOfHost(entry.message)) return ''
  let text = ''
  for (const part of parts) {
    if (text.length >= MOST_SEARCHED) break
    if (part.type === 'text') text += `${part.text.slice(0, MOST_SEARCHED - text.length)}\n`
  }
  return onOneLine(text)
}

/** A text with a space in place of all white space, and of U+0000, which no database keeps. */
export function onOneLine(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\s\0]+/g, ' ')
    .trim()
}

/**
 * A text in which letters that differ in their case alone are equal, in all languages: `toLowerCase` alone tells a "ς"
 * at the end of a word from a "σ", and "ß" from "SS".
 */
export function folded(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll('ß', 'ss')
}

/** The folded words that somebody searches. */
export function wordsIn(search: string): readonly string[] {
  const words = folded(onOneLine(search)).split(' ')
  const last = words.slice(MOST_WORDS - 1).join(' ')
  return [...new Set([...words.slice(0, MOST_WORDS - 1), last])].filter((word) => word !== '')
}

/** Whether a folded text has all words. */
export function hasWords(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word))
}
