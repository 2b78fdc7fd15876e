import { type Signal, signal } from '@preact/signals'
import { Kept } from './kept.ts'

const TOKEN = 'token'
const PERSON = 'person'

/** The token of the person who is signed in, and who that is. Both are kept until the tab is closed, and nowhere else. */
export class Session {
  readonly #kept = new Kept(() => sessionStorage)
  readonly #token: Signal<string | undefined>
  readonly #person: Signal<string | undefined>
  /** Whether the server asked for a token that it knows. */
  readonly isAsked = signal(false)
  #offers = 0

  /** Takes a token from the address if nobody is signed in: a link may bring the token of anybody. */
  constructor() {
    const before = this.#kept.get(TOKEN)
    const token = before ?? takenFromAddress()
    if (token !== before) this.#keep(token, undefined)
    this.#token = signal(token)
    this.#person = signal(this.#kept.get(PERSON))
  }

  get token(): string | undefined {
    return this.#token.value
  }

  /** The id of the person whose things the page shows. Undefined until the server has told. */
  get person(): string | undefined {
    return this.#person.value
  }

  /**
   * Notes who the server says that is asking.
   * @returns whether what the page shows is theirs. Otherwise the page must be read anew
   */
  know(person: string): boolean {
    this.#keep(this.token, person)
    this.#person.value ??= person
    return this.person === person
  }

  /** Notes that the address has a token. Returns a function that tells whether it has had no other one since. */
  offer(): () => boolean {
    const offer = ++this.#offers
    return () => offer === this.#offers
  }

  /** @returns whether what the page shows is theirs. Otherwise the page must be read anew */
  signIn(token: string, person: string): boolean {
    const isNobody = this.token === undefined && this.person === undefined
    this.#keep(token, person)
    if (!isNobody && this.person !== person) return false
    this.#token.value = token
    this.#person.value = person
    this.isAsked.value = false
    return true
  }

  /** Nothing of the page is shown any more. It must be read anew. */
  signOut(): void {
    this.#keep(undefined, undefined)
    this.#token.value = undefined
    this.isAsked.value = true
  }

  #keep(token: string | undefined, person: string | undefined): void {
    this.#kept.set(TOKEN, token)
    this.#kept.set(PERSON, person)
  }
}

/** Takes a token from the address's fragment, `#token=…`, and removes it from there. */
export function takenFromAddress(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get(TOKEN)
  if (!given) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return given
}
