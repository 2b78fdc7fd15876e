import { isObject } from '@braidwork/plugin'

/** The stored items and the place of a conversation that a request names. */
export interface References {
  /** The ids of the items, each once. */
  readonly ids: readonly string[]
  readonly previousResponseId?: string
  readonly conversationId?: string
}

/** Finds what a request refers to before it is decoded, which checks all of it. */
export function referencesIn(body: unknown): References {
  const { input, previous_response_id: previous, conversation } = isObject(body) ? body : {}
  const items: readonly unknown[] = Array.isArray(input) ? input : []
  const ids = items.filter(isToFind).map(({ id }) => id)
  const id = isObject(conversation) ? conversation['id'] : conversation
  return {
    ids: [...new Set(ids)],
    ...(typeof previous === 'string' ? { previousResponseId: previous } : {}),
    ...(typeof id === 'string' ? { conversationId: id } : {}),
  }
}

/** An item that stands for a stored one. */
function isToFind(item: unknown): item is { readonly id: string } {
  return isReference(item) || isCallAlone(item)
}

/** A call that the server ran, of which the client left out the result. */
function isCallAlone(item: unknown): item is { readonly id: string } {
  if (!isObject(item) || item['type'] !== 'mcp_call' || typeof item['id'] !== 'string') return false
  return (item['output'] ?? item['error'] ?? undefined) === undefined
}

/** An item with nothing but an id, whose type the API lets a client leave out. */
function isReference(item: unknown): item is { readonly id: string } {
  if (!isObject(item) || typeof item['id'] !== 'string') return false
  const { type, role } = item
  return type === 'item_reference' || ((type ?? undefined) === undefined && role === undefined)
}
