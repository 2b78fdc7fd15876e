import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'

/** How many characters of events a session keeps, and how many events. */
const MOST_CHARACTERS = 1 << 20
const MOST_EVENTS = 1000

interface Kept {
  readonly id: string
  readonly stream: string
  readonly message: JSONRPCMessage
  readonly size: number
}

/**
 * The last events of a session, so that a client whose connection was cut can read on. The newest event is kept whatever
 * its size.
 */
export class EventLog implements EventStore {
  #kept: Kept[] = []
  #size = 0
  #count = 0

  storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const id = String(++this.#count)
    const size = JSON.stringify(message).length
    this.#kept.push({ id, stream, message, size })
    this.#size += size
    while (this.#isFull && this.#kept.length > 1) this.#size -= this.#kept.shift()?.size ?? 0
    return Promise.resolve(id)
  }

  /** Undefined for an event that is no longer kept. */
  getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return Promise.resolve(this.#kept.find(({ id }) => id === eventId)?.stream)
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const at = this.#kept.findIndex(({ id }) => id === lastEventId)
    const last = this.#kept[at]
    if (!last) throw new Error('The event is no longer kept.')
    const missed = this.#kept.slice(at + 1).filter(({ stream }) => stream === last.stream)
    for (const { id, message } of missed) await send(id, message)
    return last.stream
  }

  get #isFull(): boolean {
    return this.#kept.length > MOST_EVENTS || this.#size > MOST_CHARACTERS
  }
}
