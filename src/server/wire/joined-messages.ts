import type { Message, Part, Role } from '@braidwork/plugin'

/** Messages in which those of one role that follow each other are one. */
export class JoinedMessages {
  readonly messages: Message[] = []
  readonly #joined: ReadonlySet<Role>
  /** The last message and its parts, where what follows may join it. */
  #open: { readonly role: Role; readonly parts: Part[] } | undefined

  /** @param joined the roles whose neighbors are one message */
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
