import { isAsking } from '../calls/index.ts'
import type { Chat, End } from '../chat/index.ts'
import type { UiMessage, UiPart } from '../message/index.ts'
import { reasonText } from '../reasons/index.ts'
import { t, type Words } from '../words/index.ts'

type Word = keyof Words | undefined

/** Whether there is something of an answer to see. */
export function isBegun(last: UiMessage | undefined): boolean {
  const shows = (part: UiPart) =>
    part.type !== 'step-start' && !('text' in part && part.text === '')
  return last?.role === 'assistant' && last.parts.some(shows)
}

const ENDS: { readonly [status: string]: keyof Words } = {
  failed: 'endedEarly',
  interrupted: 'endedEarly',
  aborted: 'endedStopped',
  unread: 'endedUnread',
}

const CUTS: { readonly [finishReason: string]: keyof Words } = {
  length: 'endedAtLength',
  'content-filter': 'endedByFilter',
}

/** What is said of the last answer, if it is not whole or has nothing in it. */
export function endOf({ lastEnd, endings, messages }: Chat): string | undefined {
  const last = messages.value.at(-1)
  const end = lastEnd.value ?? endings.value.get(last?.id ?? '')
  const isBare = last?.role === 'user'
  const told = toldOf(end, isBare)
  if (told) return told
  // The server keeps no message without parts.
  if (isBare && end?.status === 'done') return t('emptyAnswer')
  const word = last?.role === 'assistant' && !isAsking(last) ? cutOf(last) : undefined
  return word && t(word)
}

/** How an answer ended early, and why. @param isBare whether there is nothing of it */
function toldOf(end: End | undefined, isBare = false): string | undefined {
  const { status = '', error } = end ?? {}
  const word = Object.hasOwn(ENDS, status) ? ENDS[status] : undefined
  if (word !== 'endedEarly') return word && t(word)
  if (!error) return t(isBare ? 'unanswered' : word)
  return t(isBare ? 'unansweredWhy' : 'answerFailed', { message: reasonText(error) })
}

/** The word for an answer whose run ended as it should. One that ends with calls would have gone on after them. */
function cutOf(answer: UiMessage): Word {
  const { finishReason = '' } = answer.metadata ?? {}
  if (Object.hasOwn(CUTS, finishReason)) return CUTS[finishReason]
  if (finishReason === 'tool-calls') return 'endedByLimit'
  return isBegun(answer) ? undefined : 'emptyAnswer'
}

/** What is said of an answer before the last one that is not whole. */
export function earlierEndOf({ endings }: Chat, message: UiMessage): string | undefined {
  const { id, role, metadata } = message
  if (role !== 'assistant') return undefined
  const told = toldOf(endings.value.get(id))
  if (told) return told
  const { finishReason = '' } = metadata ?? {}
  const word = Object.hasOwn(CUTS, finishReason) ? CUTS[finishReason] : undefined
  return word && t(word)
}
