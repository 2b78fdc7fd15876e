import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { steeringOf, type UiMessage } from '../message/index.ts'
import type { ChatRoutes } from './chat-routes.ts'
import type { Faults } from './faults.ts'
import { newId } from './ids.ts'
import type { Kept } from './kept.ts'
import { whenReached } from './until-reached.ts'

/** A message to the answer that comes. */
export interface Said {
  readonly id: string
  readonly text: string
}

interface SteeredParts {
  readonly routes: ChatRoutes
  readonly faults: Faults
  readonly kept: Kept
  /** The id of the conversation. */
  readonly id: string
  readonly messages: ReadonlySignal<readonly UiMessage[]>
  /** The chat is shown no more. What was said is there again when it is opened again. */
  readonly closed: AbortSignal
}

/**
 * What was said to the answer that comes. It waits until the answer takes it, also over a reload: it is then said again
 * under the same id, by which the server knows it.
 */
export class Steered {
  readonly #parts: SteeredParts
  readonly #said = signal<readonly Said[]>([])
  /** The ids of those that the answer has taken. */
  readonly #taken = new Set<string>()
  /** What is not shown in the messages yet. */
  readonly waiting = computed(() =>
    this.#said.value.filter((said) => !isShownIn(this.#parts.messages.value, said)),
  )
  /** Texts of before a reload that no answer took. Who shows them elsewhere empties the list. */
  readonly left = signal<readonly string[]>([])

  constructor(parts: SteeredParts) {
    this.#parts = parts
  }

  /** Says something to the answer that comes. @returns whether the answer took it */
  say(text: string): Promise<boolean> {
    const said = { id: newId(), text }
    this.#change([...this.#said.value, said])
    return this.#send(said)
  }

  /** Takes up what was said before a reload, once it is known who said it. @param isActive whether an answer comes */
  takeUp(isActive: boolean): void {
    void this.#parts.kept.owned.then(() => this.#takeUp(isActive))
  }

  #takeUp(isActive: boolean): void {
    const { messages } = this.#parts
    const said = this.#read().filter((one) => !isShownIn(messages.value, one))
    this.#change(isActive ? said : [])
    if (isActive) for (const one of said) void this.#sayAgain(one)
    else this.left.value = said.map(({ text }) => text)
  }

  /** Forgets what the answer has taken. Its conversation was read again. */
  forgetTaken(): void {
    if (this.#said.value.length > 0) {
      this.#change(this.#said.value.filter(({ id }) => !this.#taken.has(id)))
    }
  }

  async #sayAgain(said: Said): Promise<void> {
    if (!(await this.#send(said))) this.left.value = [...this.left.value, said.text]
  }

  async #send(said: Said): Promise<boolean> {
    const { faults, closed } = this.#parts
    try {
      // The chat itself tells that the server is not there.
      await whenReached(
        () => this.#enter(said),
        closed,
        () => undefined,
      )
      return true
    } catch (error) {
      if (closed.aborted) return true
      this.#change(this.#said.value.filter(({ id }) => id !== said.id))
      faults.tell(error)
      return false
    }
  }

  async #enter(said: Said): Promise<void> {
    await this.#parts.routes.steer(said)
    this.#taken.add(said.id)
    this.#keep(this.#read().filter(({ id }) => id !== said.id))
  }

  #change(said: readonly Said[]): void {
    this.#said.value = said
    this.#keep(said.filter(({ id }) => !this.#taken.has(id)))
  }

  #keep(said: readonly Said[]): void {
    this.#parts.kept.set(this.#key, said.length > 0 ? JSON.stringify(said) : undefined)
  }

  #read(): readonly Said[] {
    const text = this.#parts.kept.get(this.#key)
    return text === undefined ? [] : saidIn(text)
  }

  get #key(): string {
    return `steered.${this.#parts.id}`
  }
}

function isShownIn(messages: readonly UiMessage[], said: Said): boolean {
  return messages.some(
    ({ id, parts }) => id === said.id || parts.some((part) => steeringOf(part)?.id === said.id),
  )
}

/** What a text of the browser's storage says, which others may have written. */
function saidIn(text: string): readonly Said[] {
  try {
    const said: unknown = JSON.parse(text)
    return Array.isArray(said) ? said.filter(isSaid) : []
  } catch {
    return []
  }
}

function isSaid(value: unknown): value is Said {
  const { id, text } = Object(value) as Partial<Record<string, unknown>>
  return typeof id === 'string' && typeof text === 'string'
}
