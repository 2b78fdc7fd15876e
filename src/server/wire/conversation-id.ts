const MOST = 255
/** Control characters and halves of letters would be other ids, or none, once they are stored. */
const SOUND = /^[^\p{Cc}\p{Cs}]+$/u

/** What is wrong with an id that a client made for a conversation; ends the sentence that begins with its name. */
export function conversationIdFault(id: string): string | undefined {
  if (id === '') return 'is empty; give an id, or leave it out'
  if (id.length > MOST) return `is an id of at most ${MOST} characters, not ${id.length}`
  return SOUND.test(id) ? undefined : 'is an id without control characters'
}
