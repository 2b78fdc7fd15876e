/** The statuses by which a proxy, or a server that stops or starts, says that the agent is away for now. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504])

/** Tells whether the agent could be reached at the last request. */
export class Reach {
  #isAway = false

  /** Whether the last request found nobody, as while the server of the agent restarts. */
  get isAway(): boolean {
    return this.#isAway
  }

  /** @param status of the response, if there was one */
  readonly onReply = (status?: number): void => {
    this.#isAway = status === undefined || AWAY.has(status)
  }
}
