import type { PartialEvent } from '@braidwork/plugin'
import type { ThinkTags } from './settings.ts'
import { type Kind, type Sink, Splitter } from './splitter.ts'

export interface TextBound {
  readonly type: 'text-start' | 'text-end'
  readonly id: string
  readonly providerMetadata?: { readonly [provider: string]: unknown }
}

export interface TextDelta {
  readonly type: 'text-delta'
  readonly id: string
  readonly delta: string
}

interface OpenPart {
  readonly kind: Kind
  readonly id: string
}

/** One text of the provider's, whose events become those of several parts. */
export class OpenText implements Sink {
  readonly #start: TextBound
  readonly #splitter: Splitter
  /** Where events go now. */
  #out: PartialEvent[] = []
  /** The delta that is being read: most come out as they came in. */
  #given: TextDelta | undefined
  #part: OpenPart | undefined
  #count = 0
  #hasText = false
  #isEnding = false

  constructor(start: TextBound, tags: ThinkTags) {
    this.#start = start
    this.#splitter = new Splitter(tags, this)
  }

  add(delta: TextDelta, out: PartialEvent[]): void {
    this.#out = out
    this.#given = delta
    this.#splitter.add(delta.delta)
    this.#given = undefined
  }

  /** What the provider says of its text goes to the last text part. */
  end(event: TextBound, out: PartialEvent[]): void {
    this.#out = out
    this.#isEnding = true
    this.#splitter.end()
    const providerMetadata = event.providerMetadata ?? this.#start.providerMetadata
    if (this.#count === 0 || providerMetadata !== undefined) this.#part ??= this.#open('text')
    if (!this.#part) return
    const facts = providerMetadata === undefined ? {} : { providerMetadata }
    out.push({ type: 'text-end', id: this.#part.id, ...facts })
  }

  /** The stream ends early: what was held back; the host closes what is open. */
  release(out: PartialEvent[]): void {
    this.#out = out
    this.#isEnding = true
    this.#splitter.end()
  }

  /** Another part begins: what comes of this text has its place before it. */
  keepPlace(out: PartialEvent[]): void {
    this.#out = out
    this.#part ??= this.#open('text')
  }

  write(kind: Kind, text: string): void {
    this.#part ??= this.#open(kind)
    const { id } = this.#part
    const given = this.#given
    const isSame = kind === 'text' && given?.delta === text && given.id === id
    this.#out.push(isSame ? given : { type: `${kind}-delta`, id, delta: text })
  }

  close(): void {
    // The last text stays open for what the provider says of its end.
    if (!this.#part || (this.#isEnding && this.#part.kind === 'text')) return
    this.#out.push({ type: `${this.#part.kind}-end`, id: this.#part.id })
    this.#part = undefined
  }

  #open(kind: Kind): OpenPart {
    const { id: own } = this.#start
    // The provider's id stays with the first text: most answers have no tags, and then nothing changes.
    const isOwn = kind === 'text' && !this.#hasText
    const id = isOwn ? own : `${own}:think-tags:${this.#count}`
    this.#hasText ||= isOwn
    this.#count++
    this.#out.push({ type: `${kind}-start`, id })
    return { kind, id }
  }
}
