import { computed, signal } from '@preact/signals'
import type { Client, Conversation, ConversationPage } from '../server/index.ts'

/** A list of so many finds is long enough. */
const ENOUGH = 50
/** The most that the server lists at once. */
const MOST_LISTED = 200

/** The conversations of the person, the newest first. */
export class ConversationList {
  readonly #client: Client
  readonly #all = signal<readonly Conversation[]>([])
  readonly #next = signal<string | undefined>(undefined)
  readonly search = signal('')
  readonly hasMore = computed(() => this.#next.value !== undefined)
  readonly shown = computed(() => {
    const wanted = this.search.value.trim().toLocaleLowerCase()
    return this.#all.value.filter(({ title = '' }) => title.toLocaleLowerCase().includes(wanted))
  })

  constructor(client: Client) {
    this.#client = client
  }

  /** Reads the newest page again. @throws {ServerError} */
  async load(): Promise<void> {
    this.#take(await this.#page('?limit=50'), [])
  }

  /** Reads the next page. @throws {ServerError} */
  more(): Promise<void> {
    return this.#readNext(50)
  }

  async #readNext(limit: number): Promise<void> {
    const from = this.#next.value ?? ''
    const page = await this.#page(`?limit=${limit}&before=${encodeURIComponent(from)}`)
    // Somebody else read the same page meanwhile.
    if (this.#next.value === from) this.#take(page, this.#all.value)
  }

  /** Shows the conversations with a text in their title, and reads older ones until there are enough. @throws {ServerError} */
  async find(text: string): Promise<void> {
    this.search.value = text
    if (text.trim() === '') return
    while (this.search.value === text && this.hasMore.value && this.shown.value.length < ENOUGH) {
      await this.#readNext(MOST_LISTED)
    }
  }

  /** @throws {ServerError} */
  async rename(id: string, title: string): Promise<void> {
    await this.#client.json(pathOf(id), { method: 'PATCH', json: { title } })
    this.#all.value = this.#all.value.map((one) => (one.id === id ? { ...one, title } : one))
  }

  /** @throws {ServerError} */
  async remove(id: string): Promise<void> {
    await this.#client.json(pathOf(id), { method: 'DELETE' })
    this.#all.value = this.#all.value.filter((one) => one.id !== id)
  }

  /** The title of a conversation, if it is listed and has one. */
  titleOf(id: string): string | undefined {
    return this.#all.value.find((one) => one.id === id)?.title
  }

  #page(query: string): Promise<ConversationPage> {
    return this.#client.json(`api/conversations${query}`, { lists: ['conversations'] })
  }

  #take({ conversations, next }: ConversationPage, before: readonly Conversation[]): void {
    this.#all.value = [...before, ...conversations]
    this.#next.value = next
  }
}

export function pathOf(id: string, more = ''): string {
  return `api/conversations/${encodeURIComponent(id)}${more}`
}
