import { type FilePart, steeringOf, type UiMessage } from '../message/index.ts'
import { newId } from './ids.ts'

/** A new message of the person. */
export function ownMessage(text: string, files: readonly FilePart[]): UiMessage {
  const said = text ? [{ type: 'text', text } as const] : []
  return { id: newId(), role: 'user', parts: [...files, ...said] }
}

/** A message with another text, and the files that it had. */
export function withText(message: UiMessage, text: string): UiMessage {
  const kept = message.parts.filter(({ type }) => type !== 'text')
  return { ...message, parts: [...kept, { type: 'text', text }] }
}

/**
 * Messages with one more, which takes the place of what there was of it. A steered answer has in it what followed that.
 */
export function withMessage(all: readonly UiMessage[], message: UiMessage): readonly UiMessage[] {
  const at = all.findLastIndex(({ id }) => id === message.id)
  if (at < 0) return [...all, message]
  return isSteered(message) ? [...all.slice(0, at), message] : all.with(at, message)
}

/** Whether something was said to an answer while it came. */
export function isSteered({ parts }: UiMessage): boolean {
  return parts.some((part) => steeringOf(part) !== undefined)
}
