interface ProblemOptions extends ErrorOptions {
  readonly words?: string
}

/** A reason why a server, or something of it, cannot be used. People and models read the message. */
export class Problem extends Error {
  override readonly name = 'Problem'
  /**
   * The end of what the process of the server wrote to standard error. It may hold secrets and paths, so it is for the
   * log alone.
   */
  readonly words: string

  constructor(message: string, { words = '', ...options }: ProblemOptions = {}) {
    super(message, options)
    this.words = words
  }
}

/** A message of a server is larger than the settings allow. */
export class TooLarge extends Problem {
  /** @param most the bytes that are allowed */
  constructor(most: number) {
    super(`it sent more than ${most} bytes at once (settings.mcp.max_bytes)`)
  }
}

/** The login at a server over HTTP cannot be used any more, or not now. */
export class LoginProblem extends Problem {}
