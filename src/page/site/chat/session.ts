import { type Signal, signal } from '@preact/signals'
import { Kept } from './kept.ts'

const TOKEN = 'token'

/** The token of the person who is signed in. It is kept until the tab is closed, and nowhere else. */
export class Session {
  readonly #kept = new Kept(() => sessionStorage)
  readonly #token: Signal<string | undefined>
  /** Whether the server asked for a token that it knows. */
  readonly isAsked = signal(false)

  /** Takes a token from the address's fragment, `#token=…`, and removes it from there. */
  constructor() {
    const given = new URLSearchParams(location.hash.slice(1)).get(TOKEN)
    if (given) {
      this.#kept.set(TOKEN, given)
      history.replaceState(null, '', location.pathname + location.search)
    }
    this.#token = signal(given ?? this.#kept.get(TOKEN))
  }

  get token(): string | undefined {
    return this.#token.value
  }

  signIn(token: string): void {
    this.#kept.set(TOKEN, token)
    this.#token.value = token
    this.isAsked.value = false
  }

  signOut(): void {
    this.#kept.set(TOKEN, undefined)
    this.#token.value = undefined
    this.isAsked.value = true
  }
}
