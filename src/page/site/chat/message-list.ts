import type { FilePart, UiMessage } from '../message/index.ts'
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

/** Messages with one more, which takes the place of what there was of it. */
export function withMessage(all: readonly UiMessage[], message: UiMessage): readonly UiMessage[] {
  const at = all.findLastIndex(({ id }) => id === message.id)
  return at < 0 ? [...all, message] : all.with(at, message)
}

/** A message whose call of a tool has an output. */
export function withOutput(message: UiMessage, toolCallId: string, output: unknown): UiMessage {
  const parts = message.parts.map((part) =>
    'toolCallId' in part && part.toolCallId === toolCallId
      ? { ...part, state: 'output-available' as const, output }
      : part,
  )
  return { ...message, parts }
}
