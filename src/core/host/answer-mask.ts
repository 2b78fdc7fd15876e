import { isObject, type PartialEvent } from '@braidwork/plugin'

const MASK = '***'

type Delta = Extract<PartialEvent, { delta: string }>

/** The text of a part that is still streaming. */
interface OpenText {
  /** The part's id with secrets masked. */
  readonly id: string
  /** The end of the text that has arrived, held back because a secret may begin in it. */
  held: string
}

/**
 * Masks secrets in an answer, because an API may echo the key that it was sent. The end of a delta is held back as
 * long as it may be the beginning of a secret.
 */
export class AnswerMask {
  readonly #secrets: readonly string[]
  /** The characters that secrets begin with. */
  readonly #heads: readonly string[]
  readonly #shortest: number
  readonly #longest: number
  readonly #open = new Map<string, OpenText>()
  /** The part of the last delta, as a cache: the next delta nearly always belongs to the same part. */
  #recent: { readonly type: string; readonly id: string; readonly text: OpenText } | undefined

  /** @param secrets texts that are not empty; a secret that begins with another secret must come before it */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets
    this.#heads = [...new Set(secrets.map((secret) => secret.charAt(0)))]
    const lengths = secrets.map(({ length }) => length)
    this.#shortest = Math.min(...lengths)
    this.#longest = Math.max(...lengths)
  }

  /** Masks the secrets in a text. */
  text(text: string): string {
    return this.#hasSecret(text) ? this.#masked(text).shown : text
  }

  /** Masks the secrets in a JSON value and its keys. Returns the same value if it contains none. */
  value<T>(value: T): T {
    return this.#inner(value) as T
  }

  /** Returns the event to show: the same one, or one or more masked events in its place. */
  next(event: PartialEvent): PartialEvent | readonly PartialEvent[] {
    const { type } = event
    if (type === 'text-delta' || type === 'reasoning-delta' || type === 'tool-call-delta') {
      return this.#nextDelta(event)
    }
    const masked = this.value(event)
    if (type !== 'text-end' && type !== 'reasoning-end' && type !== 'tool-call-end') return masked
    const rest = this.#close(type, (event as { readonly id: string }).id)
    return rest ? [rest, masked] : masked
  }

  #nextDelta(event: Delta): PartialEvent | readonly PartialEvent[] {
    const open = this.#openFor(event)
    const shown = this.#shownOf(open, event.delta)
    if (shown === event.delta && open.id === event.id) return event
    return shown === '' ? [] : { ...event, id: open.id, delta: shown }
  }

  #openFor({ type, id }: Delta): OpenText {
    if (this.#recent?.id === id && this.#recent.type === type) return this.#recent.text
    const key = keyOf(type, id)
    let text = this.#open.get(key)
    if (!text) {
      text = { id: this.text(id), held: '' }
      this.#open.set(key, text)
    }
    this.#recent = { type, id, text }
    return text
  }

  #shownOf(open: OpenText, delta: string): string {
    const said = open.held === '' ? delta : open.held + delta
    const { shown, at } = this.#hasSecret(said) ? this.#masked(said, true) : { shown: '', at: 0 }
    const end = this.#beginningIn(said, at)
    open.held = said.slice(end)
    return shown + said.slice(at, end)
  }

  #hasSecret(text: string): boolean {
    if (text.length < this.#shortest) return false
    // Each delta comes here, so no closure is made.
    for (const secret of this.#secrets) if (text.includes(secret)) return true
    return false
  }

  /** Masks secrets from left to right. It stops at the end, or, if the text goes on, where a secret may begin. */
  #masked(text: string, goesOn = false): { readonly shown: string; readonly at: number } {
    const places = new Places(this.#secrets, text)
    let shown = ''
    let at = 0
    for (let found = places.after(at); found; found = places.after(at)) {
      if (goesOn && this.#mayBegin(text, found.at)) break
      shown += text.slice(at, found.at) + MASK
      at = found.at + found.secret.length
    }
    return { shown: goesOn ? shown : shown + text.slice(at), at }
  }

  /** The index, from `from` on, at which the end of the text may be the beginning of a secret. */
  #beginningIn(text: string, from: number): number {
    const first = Math.max(from, text.length - this.#longest + 1)
    let beginning = text.length
    for (const head of this.#heads) {
      let at = text.indexOf(head, first)
      while (at !== -1 && !this.#mayBegin(text, at)) at = text.indexOf(head, at + 1)
      if (at !== -1) beginning = Math.min(beginning, at)
    }
    return beginning
  }

  /** Whether the rest of the text from `at` on is the beginning of a longer secret. */
  #mayBegin(text: string, at: number): boolean {
    const length = text.length - at
    if (length >= this.#longest) return false
    const tail = text.slice(at)
    return this.#secrets.some((secret) => secret.length > length && secret.startsWith(tail))
  }

  /** Releases the text that was held back for a part that ends. */
  #close(type: 'text-end' | 'reasoning-end' | 'tool-call-end', id: string): Delta | undefined {
    const key = keyOf(type, id)
    const text = this.#open.get(key)
    this.#open.delete(key)
    this.#recent = undefined
    if (!text?.held) return undefined
    return { type: DELTAS[type], id: text.id, delta: this.text(text.held) }
  }

  #inner(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return this.#list(value)
    return isObject(value) ? this.#object(value) : value
  }

  #list(list: readonly unknown[]): readonly unknown[] {
    let masked: unknown[] | undefined
    for (let at = 0; at < list.length; at++) {
      const inner = this.#inner(list[at])
      if (inner === list[at]) continue
      masked ??= [...list]
      masked[at] = inner
    }
    return masked ?? list
  }

  #object(object: { readonly [key: string]: unknown }): object {
    let masked: [string, unknown][] | undefined
    const keys = Object.keys(object)
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] as string
      const name = this.text(key)
      const inner = this.#inner(object[key])
      if (!masked && (name !== key || inner !== object[key])) {
        masked = keys.slice(0, at).map((before) => [before, object[before]])
      }
      masked?.push([name, inner])
    }
    return masked ? Object.fromEntries(masked) : object
  }
}

/** The places of secrets in a text. Each secret is searched for once only, however often `after` is called. */
class Places {
  readonly #secrets: readonly string[]
  readonly #text: string
  readonly #next: number[]

  constructor(secrets: readonly string[], text: string) {
    this.#secrets = secrets
    this.#text = text
    this.#next = secrets.map(() => -1)
  }

  /** The first secret at or after `from`, the longest of several. `from` must never decrease between calls. */
  after(from: number): { readonly at: number; readonly secret: string } | undefined {
    let first: { readonly at: number; readonly secret: string } | undefined
    for (const [index, secret] of this.#secrets.entries()) {
      const known = this.#next[index] ?? -1
      const at = known >= from ? known : this.#find(secret, from)
      this.#next[index] = at
      if (at < this.#text.length && (!first || at < first.at)) first = { at, secret }
    }
    return first
  }

  #find(secret: string, from: number): number {
    const at = this.#text.indexOf(secret, from)
    return at === -1 ? Number.POSITIVE_INFINITY : at
  }
}

const DELTAS = {
  'text-end': 'text-delta',
  'reasoning-end': 'reasoning-delta',
  'tool-call-end': 'tool-call-delta',
} as const

/** A key that all events of one part share. */
function keyOf(type: string, id: string): string {
  return `${type.slice(0, type.lastIndexOf('-'))}:${id}`
}
