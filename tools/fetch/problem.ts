/** A reason why a page cannot be fetched. The model reads the message. */
export class Problem extends Error {
  override readonly name = 'Problem'
}
