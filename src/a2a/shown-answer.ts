import type { Part } from '@a2a-js/sdk'
import type { PartialEvent } from '@braidwork/plugin'
import { KeptArtifacts } from './kept-artifacts.ts'
import { ShownArtifact } from './shown-artifact.ts'
import { WithdrawnText } from './withdrawn-text.ts'

/** The blank line before the text of another artifact: many readers join the texts of an answer. */
const GAP = '\n\n'

const HTTP = /^https?:\/\//i

/** What earlier answers of the task have shown of its artifacts, by their ids. */
type ShownBefore = { readonly [artifactId: string]: unknown } | undefined

/** Makes the events of an answer from the artifacts of its task. */
export class ShownAnswer {
  /** The text that is open, with the artifact that it is of. */
  #open: { readonly id: string; readonly artifactId: string } | undefined
  readonly #artifacts = new Map<string, ShownArtifact>()
  readonly #kept = new KeptArtifacts()
  readonly #withdrawn = new WithdrawnText()
  readonly #before: ShownBefore
  readonly #canReset: boolean
  #mustRestart = false
  #hasRestarted = false
  #hasReplaced = false
  #texts = 0
  /** The artifact of the last text. */
  #last: string | undefined
  #hasText = false
  #hasOther = false

  /** @param canReset whether what was shown of the answer can be taken back */
  constructor(before: ShownBefore, canReset: boolean) {
    this.#before = before
    this.#canReset = canReset
  }

  get hasText(): boolean {
    return this.#hasText
  }

  /** Whether there is a text that was shown and then replaced, so that the answer has both. */
  get hasReplaced(): boolean {
    return this.#hasReplaced
  }

  /** Whether the last events begin the answer anew: all before them is to be taken back. True once. */
  restarts(): boolean {
    const restarts = this.#hasRestarted
    this.#hasRestarted = false
    return restarts
  }

  /** Returns these events, or those of the whole answer if it begins anew. */
  orAnew(events: readonly PartialEvent[]): readonly PartialEvent[] {
    return this.#mustRestart ? this.#begin() : events
  }

  /** What is left to show at the end, before the last text is closed. */
  end(): readonly PartialEvent[] {
    return this.orAnew(this.#withdrawn.isOpen ? this.#differs('', '') : [])
  }

  /** Opens a text without words, where the answer ends with a file or data, or with nothing if it `isWaiting`. */
  opened(artifactId: string, isWaiting: boolean): readonly PartialEvent[] {
    if (this.#open || !(this.#hasOther || isWaiting)) return []
    const id = String(++this.#texts)
    this.#open = { id, artifactId }
    return [{ type: 'text-start', id }]
  }

  /** What a later answer of the task need not show again, of the artifacts with these ids. */
  noted(has: (artifactId: string) => boolean): { readonly [artifactId: string]: unknown } {
    const own = [...this.#artifacts].filter(([id]) => has(id))
    return Object.fromEntries(own.map(([id, artifact]) => [id, artifact.noted()]))
  }

  /** Withdraws artifacts that the agent has no more: the update that said so was missed. */
  withdraw(isGone: (artifactId: string) => boolean): void {
    for (const id of this.#artifacts.keys()) if (isGone(id)) this.parts([], id, false)
  }

  /**
   * Takes parts of an artifact.
   * @param isMore whether they come after those before, instead of in their place
   */
  parts(parts: readonly Part[], artifactId: string, isMore: boolean): readonly PartialEvent[] {
    this.#kept.take(artifactId, parts, isMore)
    const before = this.#before?.[artifactId]
    const shown = this.#artifacts.get(artifactId) ?? new ShownArtifact(before)
    const isKnown = before !== undefined || this.#artifacts.has(artifactId)
    this.#artifacts.set(artifactId, shown)
    if (isKnown && !isMore) return this.#replaced(shown, parts, artifactId)
    shown.add(parts)
    return parts.flatMap((part) => this.#part(part, artifactId))
  }

  #replaced(
    shown: ShownArtifact,
    parts: readonly Part[],
    artifactId: string,
  ): readonly PartialEvent[] {
    const { text } = shown
    const { parts: fresh, isOther } = shown.replace(parts)
    const isLast = this.#open?.artifactId === artifactId
    if (isOther && isLast && !shown.hasOthers && parts.every(isSilent)) {
      this.#withdrawn.add(text)
      return []
    }
    const closed = isOther ? this.#differs('', '') : []
    return [...closed, ...fresh.flatMap((part) => this.#part(part, artifactId))]
  }

  /** Begins the answer anew where its readers can be told so. Otherwise it shows a text beside the one that it replaces. */
  #differs(delta: string, artifactId: string): readonly PartialEvent[] {
    const text = this.#withdrawn.drop() + delta
    if (this.#canReset) {
      this.#mustRestart = true
      return []
    }
    this.#hasReplaced = true
    this.#last = undefined
    return [...this.close(), ...this.#text(text, artifactId)]
  }

  /** Shows the artifacts as the agent has them at present. */
  #begin(): readonly PartialEvent[] {
    this.#mustRestart = false
    this.#hasRestarted = true
    this.#withdrawn.drop()
    this.#open = undefined
    this.#hasText = false
    this.#hasOther = false
    this.#artifacts.clear()
    return this.#kept.entries().flatMap(([id, parts]) => this.parts(parts, id, false))
  }

  #part({ content, mediaType, filename }: Part, artifactId: string): readonly PartialEvent[] {
    if (content?.$case === 'text') return this.#text(content.value, artifactId)
    this.#hasOther ||= content !== undefined
    if (content?.$case === 'data') {
      return [...this.close(), { type: 'data', name: 'a2a', data: content.value ?? null }]
    }
    const about = {
      type: 'file',
      mediaType: mediaType || 'application/octet-stream',
      ...(filename === '' ? {} : { name: filename }),
    } as const
    if (content?.$case === 'raw') {
      return [...this.close(), { ...about, data: Buffer.from(content.value).toString('base64') }]
    }
    const isSafe = content?.$case === 'url' && HTTP.test(content.value)
    return isSafe ? [...this.close(), { ...about, url: content.value }] : []
  }

  #text(delta: string, artifactId: string): readonly PartialEvent[] {
    if (delta === '') return []
    if (this.#withdrawn.isOpen) return this.#again(delta, artifactId)
    const gap = this.#hasText && this.#last !== artifactId ? GAP : ''
    this.#hasText = true
    this.#last = artifactId
    if (this.#open?.artifactId === artifactId) {
      return [{ type: 'text-delta', id: this.#open.id, delta }]
    }
    const closed = this.close()
    const id = String(++this.#texts)
    this.#open = { id, artifactId }
    return [...closed, { type: 'text-start', id }, { type: 'text-delta', id, delta: gap + delta }]
  }

  /** Goes on with a text that the agent says once more. */
  #again(delta: string, artifactId: string): readonly PartialEvent[] {
    const fresh = this.#withdrawn.fresh(delta)
    if (fresh === undefined) return this.#differs(delta, artifactId)
    if (this.#open) this.#open = { id: this.#open.id, artifactId }
    this.#last = artifactId
    return this.#text(fresh, artifactId)
  }

  close(providerMetadata?: { readonly [provider: string]: unknown }): readonly PartialEvent[] {
    if (!this.#open) return []
    const { id } = this.#open
    this.#open = undefined
    return [{ type: 'text-end', id, ...(providerMetadata ? { providerMetadata } : {}) }]
  }
}

function isSilent({ content }: Part): boolean {
  return content?.$case === 'text' && content.value === ''
}
