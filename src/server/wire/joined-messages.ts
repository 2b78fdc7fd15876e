import type { Message, Part, Role } from '@braidwork/plugin'

/** A list of messages that joins consecutive messages of the same role. */
export class JoinedMessages {
  readonly messages: Message[] = []
  readonly #joined: ReadonlySet<Role>
  /** The last message, if the next one may be joined to it. */
  #open: { readonly role: Role; readonly parts: Part[] } | undefined

  /** @param joined the roles whose consecutive messages are joined */
  constructor(joined: readonly Role[]) {
    this.#joined = new Set(joined)
  }

  add(message: Message): void {
    const { role, parts } = message
    if (this.#open?.role === role) {
      for (const part of parts) this.#open.parts.push(part)
      return
    }
    this.#open = this.#joined.has(role) ? { role, parts: [...parts] } : undefined
    this.messages.push(this.#open ?? message)
  }
}
