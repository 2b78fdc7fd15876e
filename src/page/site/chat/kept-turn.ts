import { textOf, type UiMessage } from '../message/index.ts'
import { type History, ServerError } from '../server/index.ts'
import type { ChatRoutes } from './chat-routes.ts'

/** The statuses of a turn that the server did not take: it was not reached, knows nobody, is busy, or has too little room. */
const UNTAKEN: ReadonlySet<number> = new Set([0, 401, 409, 413])

/**
 * The history of a conversation, if it has a message although the turn with it failed: its run began, and the model API
 * failed before the first word of the answer, or the person stopped it.
 * @param fault why the turn failed; undefined where the person stopped it
 */
export async function keptHistory(
  routes: Pick<ChatRoutes, 'history'>,
  sent: UiMessage,
  fault: ServerError | undefined,
): Promise<History | undefined> {
  if (fault && isUntaken(fault)) return undefined
  try {
    const history = await routes.history()
    const isSent = (one: UiMessage) => one.id === sent.id && textOf(one) === textOf(sent)
    return history.messages.some(isSent) ? history : undefined
  } catch (error) {
    // Why the turn failed is told already.
    if (error instanceof ServerError) return undefined
    throw error
  }
}

function isUntaken({ status, code }: ServerError): boolean {
  return UNTAKEN.has(status) || code === 'CONVERSATION_UNKNOWN'
}
