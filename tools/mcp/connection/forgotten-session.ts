import { isObject } from '@braidwork/plugin'
import type { Client } from '@modelcontextprotocol/client'

/**
 * Whether a server over HTTP has forgotten the session, and so did not take the request: by 404, as the protocol says,
 * or by 400 with an error about the session that belongs to no request, as many servers say it.
 */
export function isForgotten({ transport }: Client, error: unknown): boolean {
  if (transport?.sessionId === undefined || !(error instanceof Error)) return false
  const { data = {} } = error as { readonly data?: { status?: unknown; text?: unknown } }
  const { status, text } = data
  return status === 404 || (status === 400 && typeof text === 'string' && refusesSession(text))
}

function refusesSession(text: string): boolean {
  try {
    const answer: unknown = JSON.parse(text)
    if (!isObject(answer) || (answer['id'] ?? null) !== null || !isObject(answer['error']))
      return false
    return /session/i.test(String(answer['error']['message']))
  } catch {
    return false
  }
}
