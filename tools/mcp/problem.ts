/** A reason why a server, or something of it, cannot be used. People and models read the message. */
export class Problem extends Error {
  override readonly name = 'Problem'
}

/** A message of a server is larger than the settings allow. */
export class TooLarge extends Problem {
  /** @param most the bytes that are allowed */
  constructor(most: number) {
    super(`it sent more than ${most} bytes at once (settings.mcp.max_bytes)`)
  }
}
