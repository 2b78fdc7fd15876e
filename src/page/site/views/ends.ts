import { isAsking } from '../calls/index.ts'
import type { Chat } from '../chat/index.ts'
import type { UiMessage, UiPart } from '../message/index.ts'
import type { Words } from '../words/index.ts'

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

/** The word for the last answer, if it is not whole or has nothing in it. */
export function endOf({ lastEnd, endings, messages }: Chat): Word {
  const last = messages.value.at(-1)
  const status = lastEnd.value ?? endings.value.get(last?.id ?? '') ?? ''
  const word = Object.hasOwn(ENDS, status) ? ENDS[status] : undefined
  const isBare = last?.role === 'user'
  if (word) return word === 'endedEarly' && isBare ? 'unanswered' : word
  // The server keeps no message without parts.
  if (isBare && status === 'done') return 'emptyAnswer'
  return last?.role === 'assistant' && !isAsking(last) ? cutOf(last) : undefined
}

/** The word for an answer whose run ended as it should. One that ends with calls would have gone on after them. */
function cutOf(answer: UiMessage): Word {
  const { finishReason = '' } = answer.metadata ?? {}
  if (Object.hasOwn(CUTS, finishReason)) return CUTS[finishReason]
  if (finishReason === 'tool-calls') return 'endedByLimit'
  return isBegun(answer) ? undefined : 'emptyAnswer'
}

/** The word for an answer before the last one that is not whole. */
export function earlierEndOf({ endings }: Chat, { id, role, metadata }: UiMessage): Word {
  if (role !== 'assistant') return undefined
  const status = endings.value.get(id) ?? ''
  if (Object.hasOwn(ENDS, status)) return ENDS[status]
  const { finishReason = '' } = metadata ?? {}
  return Object.hasOwn(CUTS, finishReason) ? CUTS[finishReason] : undefined
}
