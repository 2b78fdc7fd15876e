/** A reason why a request is not sent, or has no response. Models and people may read the message. */
export class GuardError extends Error {
  override readonly name = 'GuardError'
}
