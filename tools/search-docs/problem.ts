/** A reason why a search cannot be executed. The model reads the message. */
export class Problem extends Error {
  override readonly name = 'Problem'
}
