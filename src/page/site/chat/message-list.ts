import { type FilePart, isTool, steeringOf, type UiMessage, type UiPart } from '../message/index.ts'
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
function isSteered({ parts }: UiMessage): boolean {
  return parts.some((part) => steeringOf(part) !== undefined)
}

/**
 * Whether the server knows more of messages than streams have told: what was said to an answer stands between two, and
 * a message ends the waiting calls before it.
 */
export function isOutdated(all: readonly UiMessage[]): boolean {
  return all.some(isSteered) || all.slice(0, -1).some(({ parts }) => parts.some(isOpenCall))
}

function isOpenCall(part: UiPart): boolean {
  return isTool(part) && OPEN_STATES.has(part.state)
}

const OPEN_STATES: ReadonlySet<string> = new Set(['input-available', 'approval-requested'])

/** What a person makes of a call that asks: an answer, or an error where they decline. */
export type CallOutcome =
  | { readonly state: 'output-available'; readonly output: unknown }
  | { readonly state: 'output-error'; readonly errorText: string }

/** The outcome of a call, by its id. */
export type CallAnswer = CallOutcome & { readonly toolCallId: string }

/** A message whose call of a tool has an outcome. */
export function withOutcome(message: UiMessage, { toolCallId, ...outcome }: CallAnswer): UiMessage {
  const parts = message.parts.map((part) =>
    'toolCallId' in part && part.toolCallId === toolCallId ? { ...part, ...outcome } : part,
  )
  return { ...message, parts }
}
