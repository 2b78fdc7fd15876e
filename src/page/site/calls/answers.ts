import { type Signal, signal } from '@preact/signals'
import type { Chat } from '../chat/index.ts'

/** What was filled in, by the id of the question. */
type Answers = Map<string, Signal<unknown>>

/** A chat's answers stay with it while a refused one is told, and while the page asks for a token. */
const answers = new WeakMap<Chat, Answers>()

/** What a person has filled in for a question, and not sent yet. @param id a call that asks, or an approval */
export function answerFor(chat: Chat, id: string): Signal<unknown> {
  const known = answers.get(chat) ?? new Map<string, Signal<unknown>>()
  answers.set(chat, known)
  const answer = known.get(id) ?? signal<unknown>(undefined)
  known.set(id, answer)
  return answer
}
