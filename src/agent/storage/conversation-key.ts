/**
 * By what a host, and so its plugins, know a conversation of a storage: ids are unique among an owner's alone,
 * and what plugins keep for one conversation must be nobody else's.
 */
export function conversationKey(owner: string, id: string): string {
  return `${ownerKey(owner)}/${id}`
}

/** Where plugins keep what they keep for an owner and no conversation: no `conversationKey` is like it. */
export function ownerKey(owner: string): string {
  return owner.replaceAll('%', '%25').replaceAll('/', '%2F')
}

/** Whose what stands under such a key is. */
export function ownerOfKey(key: string): string {
  const [owner = ''] = key.split('/', 1)
  return owner.replaceAll('%2F', '/').replaceAll('%25', '%')
}
