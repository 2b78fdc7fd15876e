import { isTool, type UiMessage, type UiPart } from '../message/index.ts'
import { isSteered } from './message-list.ts'

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
