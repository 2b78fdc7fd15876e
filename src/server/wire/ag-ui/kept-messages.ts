/**
 * The lengths of what a client has of the messages of a thread, as its request shows. A client that was disconnected
 * appends what it is sent again, so it is sent only the rest.
 */
export class KeptMessages {
  readonly #texts = new Map<string, number>()
  readonly #calls = new Map<string, number>()
  readonly #results = new Set<string>()

  addText(id: string, text: string): void {
    this.#texts.set(id, text.length)
  }

  /** @param isWhole whether the arguments are complete; they may then be spelled otherwise than in the stream */
  addCall(callId: string, text: string, isWhole: boolean): void {
    this.#calls.set(callId, isWhole ? Number.POSITIVE_INFINITY : text.length)
  }

  addResult(callId: string): void {
    this.#results.add(callId)
  }

  has(id: string): boolean {
    return this.#texts.has(id)
  }

  hasResult(callId: string): boolean {
    return this.#results.has(callId)
  }

  /** The number of characters of a text or a reasoning. */
  lengthOf(id: string): number {
    return this.#texts.get(id) ?? 0
  }

  /** The number of characters of the arguments of a call; infinite if the client has the whole call. */
  lengthOfCall(callId: string): number {
    return this.#results.has(callId) ? Number.POSITIVE_INFINITY : (this.#calls.get(callId) ?? 0)
  }
}

/** Takes the next piece of a text. Returns the part that the client does not have. */
export function restOf(text: { kept: number }, delta: string): string {
  const rest = delta.slice(text.kept)
  text.kept = Math.max(0, text.kept - delta.length)
  return rest
}
