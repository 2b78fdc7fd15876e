/** A reason why a server, or something of it, cannot be used. People and models read the message. */
export class Problem extends Error {
  override readonly name = 'Problem'
}
