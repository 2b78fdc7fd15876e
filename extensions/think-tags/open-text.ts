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

/** One text part of the provider. Its events are converted to those of several parts. */
export class OpenText implements Sink {
  readonly #start: TextBound
  readonly #splitter: Splitter
  /** The list that receives the events of the current call. */
  #out: PartialEvent[] = []
  /** The delta being processed. If nothing changes, the original delta object is emitted. */
  #given: TextDelta | undefined
  #part: OpenPart | undefined
  #count = 0
  #hasText = false
  #hasInput = false
  #isEnding = false

  constructor(start: TextBound, tags: ThinkTags) {
    this.#start = start
    this.#splitter = new Splitter(tags, this)
  }

  add(delta: TextDelta, out: PartialEvent[]): void {
    this.#out = out
    this.#given = delta
    this.#hasInput = true
    this.#splitter.add(delta.delta)
    this.#given = undefined
  }

  /** Ends the text. The provider's end metadata goes to the last text part. */
  end(event: TextBound, out: PartialEvent[]): void {
    this.#out = out
    this.#isEnding = true
    this.#splitter.end()
    const providerMetadata = event.providerMetadata ?? this.#start.providerMetadata
    // An empty text stays; one that consists of nothing but empty tags leaves no part.
    if (!this.#hasInput || providerMetadata !== undefined) this.#part ??= this.#open('text')
    if (!this.#part) return
    const facts = providerMetadata === undefined ? {} : { providerMetadata }
    out.push({ type: 'text-end', id: this.#part.id, ...facts })
  }

  /** Releases held text when the stream ends early. The host closes the open parts. */
  release(out: PartialEvent[]): void {
    this.#out = out
    this.#isEnding = true
    this.#splitter.end()
  }

  /** Prepares for the start of another part: this text's output must come before it. */
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
    // The last text part stays open, so that its end can carry the provider's metadata.
    if (!this.#part || (this.#isEnding && this.#part.kind === 'text')) return
    this.#out.push({ type: `${this.#part.kind}-end`, id: this.#part.id })
    this.#part = undefined
  }

  #open(kind: Kind): OpenPart {
    const { id: own } = this.#start
    // The first text part keeps the provider's id. An answer without tags is then passed on unchanged.
    const isOwn = kind === 'text' && !this.#hasText
    const id = isOwn ? own : `${own}:think-tags:${this.#count}`
    this.#hasText ||= isOwn
    this.#count++
    const { providerMetadata } = this.#start
    const facts = kind === 'text' && providerMetadata ? { providerMetadata } : {}
    this.#out.push({ type: `${kind}-start`, id, ...facts })
    return { kind, id }
  }
}
