import { effect, signal } from '@preact/signals'
import type { Chat } from './chat.ts'

/** How many answers are read that nobody looks at. A browser has six connections to a server of HTTP 1.1. */
const MOST = 3

/**
 * The chats whose answers still come while the person looks at another one. They are read on: a server stops an answer
 * that nobody reads.
 */
export class LeftChats {
  readonly #all = signal<readonly Chat[]>([])

  has(id: string): boolean {
    return this.#all.value.some((chat) => chat.id === id)
  }

  /** Reads a chat on until its answer has ended, or until too many others are read. */
  leave(chat: Chat): void {
    if (chat.isBusy.value) this.#readOn(chat)
    else chat.close()
  }

  #readOn(chat: Chat): void {
    const all = [...this.#all.value, chat]
    for (const oldest of all.slice(0, -MOST)) oldest.close()
    this.#all.value = all.slice(-MOST)
    const end = effect(() => {
      const isLeft = this.#all.value.includes(chat)
      if (isLeft && chat.isBusy.value) return
      queueMicrotask(() => end())
      if (!isLeft) return
      chat.close()
      this.#all.value = this.#all.peek().filter((one) => one !== chat)
    })
  }

  /** Takes a chat out that the person looks at again. */
  back(id: string | undefined): Chat | undefined {
    const chat = this.#all.value.find((one) => one.id === id)
    if (chat) this.#all.value = this.#all.value.filter((one) => one !== chat)
    return chat
  }
}
