/** A random id. `crypto.randomUUID` exists only in secure contexts, and a page at a plain HTTP address is none. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
