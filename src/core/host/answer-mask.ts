import { isObject, type PartialEvent } from '@braidwork/plugin'

const MASK = '***'

type Delta = Extract<PartialEvent, { delta: string }>

/** The text of a part as it comes. */
interface OpenText {
  /** Its id without secrets. */
  readonly id: string
  /** Its end that may be the beginning of a secret, and is not shown yet. */
  held: string
}

/**
 * Takes secrets out of an answer: an API that echoes the key that it was sent does not get it shown. What a delta
 * ends with is held back as long as it may be the beginning of one.
 */
export class AnswerMask {
  readonly #secrets: readonly string[]
  /** The codes of the characters that a secret begins with. */
  readonly #heads: ReadonlySet<number>
  readonly #shortest: number
  readonly #longest: number
  readonly #open = new Map<string, OpenText>()
  /** The part that the last delta went to: the next nearly always goes there too. */
  #recent: { readonly type: string; readonly id: string; readonly text: OpenText } | undefined

  /** @param secrets texts that are not empty, those before others that are their beginnings */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets
    this.#heads = new Set(secrets.map((secret) => secret.charCodeAt(0)))
    const lengths = secrets.map(({ length }) => length)
    this.#shortest = Math.min(...lengths)
    this.#longest = Math.max(...lengths)
  }

  /** A text without secrets. */
  text(text: string): string {
    return this.#hasSecret(text) ? this.#masked(text).shown : text
  }

  /** A JSON value without secrets, in keys too; the same where there are none. */
  value<T>(value: T): T {
    return this.#inner(value) as T
  }

  /** What is to be shown of an event: itself, or others in its place. */
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
    return this.#secrets.some((secret) => text.includes(secret))
  }

  /** A text with its secrets masked, the leftmost first, up to where none is left or one may go on. */
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

  /** Where the end of a text begins that may be the beginning of a secret, from a place on. */
  #beginningIn(text: string, from: number): number {
    const { length } = text
    for (let at = Math.max(from, length - this.#longest + 1); at < length; at++) {
      if (this.#heads.has(text.charCodeAt(at)) && this.#mayBegin(text, at)) return at
    }
    return length
  }

  /** Whether what stands from a place on is the beginning of a secret that is longer. */
  #mayBegin(text: string, at: number): boolean {
    const length = text.length - at
    if (length >= this.#longest) return false
    const tail = text.slice(at)
    return this.#secrets.some((secret) => secret.length > length && secret.startsWith(tail))
  }

  /** The rest of a part that ends. */
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

/** Where secrets stand in a text; each is looked for once, however many there are. */
class Places {
  readonly #secrets: readonly string[]
  readonly #text: string
  readonly #next: number[]

  constructor(secrets: readonly string[], text: string) {
    this.#secrets = secrets
    this.#text = text
    this.#next = secrets.map(() => -1)
  }

  /** The first from a place on, which only grows; of several there the longest. */
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

/** Events of one part have the same. */
function keyOf(type: string, id: string): string {
  return `${type.slice(0, type.lastIndexOf('-'))}:${id}`
}
