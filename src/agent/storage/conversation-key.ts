/**
 * The key by which the host and its plugins know a conversation. Conversation ids are unique per owner only, so the
 * key includes the owner; otherwise a plugin could mix the values of two owners.
 */
export function conversationKey(owner: string, id: string): string {
  return `${ownerKey(owner)}/${id}`
}

/**
 * The key for values that plugins keep for an owner, outside any conversation. It never equals a `conversationKey`.
 */
export function ownerKey(owner: string): string {
  return owner.replaceAll('%', '%25').replaceAll('/', '%2F')
}

/** The owner that a `conversationKey` or `ownerKey` belongs to. */
export function ownerOfKey(key: string): string {
  const [owner = ''] = key.split('/', 1)
  return owner.replaceAll('%2F', '/').replaceAll('%25', '%')
}
