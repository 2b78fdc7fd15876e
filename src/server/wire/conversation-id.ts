const MOST = 255
/** Control characters and unpaired surrogates could change when an id is stored. */
const SOUND = /^[^\p{Cc}\p{Cs}]+$/u
/** Segments of a path that every client of HTTP removes, also in their encoded form. No address can have them. */
const DOTS: readonly string[] = ['.', '..']

/**
 * Checks a client's id for a conversation. Returns the fault as the end of a sentence that begins with the field's
 * name, or undefined for a valid id.
 */
export function conversationIdFault(id: string): string | undefined {
  if (id.trim() === '') return 'is blank; give an id, or leave the field out'
  if (id.length > MOST) return `must have at most ${MOST} characters; it has ${id.length}`
  if (DOTS.includes(id)) return `must not be "${id}", which no address can have`
  return SOUND.test(id) ? undefined : 'must not contain control characters'
}
