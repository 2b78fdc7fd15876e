import { batch, computed, signal } from '@preact/signals'
import type { Client, Conversation, ConversationPage } from '../server/index.ts'

/** A list of so many finds is long enough. */
const ENOUGH = 50
/** A search begins when nobody has typed for so many milliseconds. */
const PAUSE = 150

/** What the server found. */
interface Found {
  readonly search: string
  readonly conversations: readonly Conversation[]
  readonly next: string | undefined
}

/** The conversations of the person, the newest first. */
export class ConversationList {
  readonly #client: Client
  readonly #all = signal<readonly Conversation[]>([])
  readonly #next = signal<string | undefined>(undefined)
  readonly #found = signal<Found | undefined>(undefined)
  /** The ids of those that were deleted here. A page that was asked for before may still have them. */
  readonly #removed = new Set<string>()
  /** Whether the server has told which there are. */
  readonly isLoaded = signal(false)
  readonly search = signal('')
  /** Whether the server still looks for more. */
  readonly isSearching = signal(false)
  readonly #wanted = computed(() => this.search.value.trim())
  readonly hasMore = computed(() =>
    this.#wanted.value === ''
      ? this.#next.value !== undefined
      : this.#foundNow.value?.next !== undefined && !this.isSearching.value,
  )
  /** What the server has found for the present search. */
  readonly #foundNow = computed(() =>
    this.#found.value?.search === this.#wanted.value ? this.#found.value : undefined,
  )
  /** What is found; until the server has answered, the listed ones with the search in their titles. */
  readonly shown = computed(() => {
    const wanted = this.#wanted.value.toLocaleLowerCase()
    if (this.#foundNow.value) return this.#foundNow.value.conversations
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
  async more(): Promise<void> {
    const found = this.#foundNow.value
    if (this.#wanted.value !== '' && found) return this.#goOn(found)
    const from = this.#next.value ?? ''
    const page = await this.#page(`?limit=50&before=${encodeURIComponent(from)}`)
    // Somebody else read the same page meanwhile.
    if (this.#next.value === from) this.#take(page, this.#all.value)
  }

  /** Shows the conversations in whose titles or messages a text is. @throws {ServerError} */
  async find(text: string): Promise<void> {
    this.search.value = text
    const search = this.#wanted.value
    this.isSearching.value = search !== '' && !this.#foundNow.value
    if (!this.isSearching.value) return
    await new Promise((done) => setTimeout(done, PAUSE))
    await this.#goOn({ search, conversations: [], next: undefined })
  }

  /** Searches on until there are enough more: the server looks at so many conversations at once. @throws {ServerError} */
  async #goOn({ search, conversations, next: first }: Found): Promise<void> {
    const isWanted = () => this.#wanted.value === search
    if (!isWanted()) return
    this.isSearching.value = true
    const enough = conversations.length + ENOUGH
    let [all, next] = [conversations, first]
    try {
      do {
        const from = next === undefined ? '' : `&before=${encodeURIComponent(next)}`
        const path = `?search=${encodeURIComponent(search)}&limit=${enough - all.length}${from}`
        const page = await this.#page(path)
        if (!isWanted()) return
        all = [...all, ...page.conversations]
        next = page.next
        this.#found.value = { search, conversations: all, next }
      } while (next !== undefined && all.length < enough)
    } finally {
      if (isWanted()) this.isSearching.value = false
    }
  }

  /** @throws {ServerError} */
  async rename(id: string, title: string): Promise<void> {
    await this.#client.json(pathOf(id), { method: 'PATCH', json: { title } })
    this.#change((all) =>
      all.map((one) => {
        const { titleMarks: _, ...rest } = one
        return one.id === id ? { ...rest, title } : one
      }),
    )
  }

  /** Reads the newest page again, and gives a conversation these words as its title if it has none. @throws {ServerError} */
  async loadTitled(id: string, words: string): Promise<void> {
    await this.load()
    if (this.titleOf(id) === undefined && words !== '') await this.rename(id, words)
  }

  /**
   * Makes a new conversation of the messages up to one, with a title or that of the first. Returns its id.
   * @throws {ServerError}
   */
  async branch(id: string, messageId: string, title?: string): Promise<string> {
    const json = { messageId, ...(title === undefined ? {} : { title }) }
    const made = await this.#client.json<{ id: string }>(pathOf(id, '/branch'), {
      method: 'POST',
      json,
    })
    return made.id
  }

  /** @throws {ServerError} */
  async remove(id: string): Promise<void> {
    await this.#client.json(pathOf(id), { method: 'DELETE' })
    this.#removed.add(id)
    this.#change((all) => all.filter((one) => one.id !== id))
  }

  /** The title of a conversation, if it is known and has one. */
  titleOf(id: string): string | undefined {
    const known = [...this.#all.value, ...(this.#found.value?.conversations ?? [])]
    return known.find((one) => one.id === id)?.title
  }

  #change(change: (all: readonly Conversation[]) => readonly Conversation[]): void {
    batch(() => {
      this.#all.value = change(this.#all.value)
      const found = this.#found.value
      if (found) this.#found.value = { ...found, conversations: change(found.conversations) }
    })
  }

  async #page(query: string): Promise<ConversationPage> {
    const path = `api/conversations${query}`
    const page = await this.#client.json<ConversationPage>(path, { lists: ['conversations'] })
    return { ...page, conversations: page.conversations.filter(({ id }) => !this.#removed.has(id)) }
  }

  #take({ conversations, next }: ConversationPage, before: readonly Conversation[]): void {
    this.#all.value = [...before, ...conversations]
    this.#next.value = next
    this.isLoaded.value = true
  }
}

export function pathOf(id: string, more = ''): string {
  return `api/conversations/${encodeURIComponent(id)}${more}`
}
