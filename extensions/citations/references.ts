import type { Part, PartialEvent } from '@braidwork/plugin'

export type Source = Extract<Part, { type: 'source' }>

/** Types of parts and events that do not end a text, because they belong to the part before them or to the message. */
const IN_PASSING = new Set<string>(['metadata', 'text-delta', 'reasoning-delta', 'tool-call-delta'])
const PLACES = ['end_index', 'index'] as const

/** Numbers the sources of one message while its parts arrive. */
export class References {
  /** Cited sources and their numbers, by the key from `keyOf`. */
  readonly #cited = new Map<string, { readonly number: number; readonly source: Source }>()
  readonly #found = new Map<string, Source>()
  /** Calls that the host executes, or that the provider has not reported as its own so far. */
  readonly #ownCalls = new Set<string>()
  /** The numbers already marked after the preceding text; `undefined` if no text directly precedes. */
  #marked: Set<number> | undefined

  /** Handles the next part or event. @returns the number to mark the preceding text with */
  add(part: Part | PartialEvent): number | undefined {
    if (part.type === 'source') return this.#addSource(part)
    this.#noteCall(part)
    if (IN_PASSING.has(part.type) || part.type.endsWith('-end')) return undefined
    this.#marked = part.type === 'text' || part.type === 'text-start' ? new Set() : undefined
    return undefined
  }

  /**
   * The list for the end of the answer: the cited sources, else the found ones; none if the host must execute calls.
   */
  list(): string | undefined {
    const cited = [...this.#cited.values()].map(({ source }) => source)
    const sources = cited.length > 0 ? cited : [...this.#found.values()]
    if (sources.length === 0 || this.#ownCalls.size > 0) return undefined
    const lines = sources.map((source, at) => `[${at + 1}] ${titleOf(source)}`)
    return `\n\n${lines.join('\n')}`
  }

  #addSource(source: Source): number | undefined {
    const key = keyOf(source)
    if (key === undefined) return undefined
    if (!this.#found.has(key)) this.#found.set(key, source)
    if (!this.#marked || !isCited(source)) return undefined
    const { number } = this.#cited.get(key) ?? { number: this.#cited.size + 1 }
    if (!this.#cited.has(key)) this.#cited.set(key, { number, source })
    if (this.#marked.has(number)) return undefined
    this.#marked.add(number)
    return number
  }

  #noteCall(part: Part | PartialEvent): void {
    if (part.type === 'tool-call' || part.type === 'tool-call-start') {
      const id = part.type === 'tool-call' ? part.callId : part.id
      if (!part.providerExecuted) this.#ownCalls.add(id)
    } else if (part.type === 'tool-call-end' && part.providerExecuted) {
      this.#ownCalls.delete(part.id)
    }
  }
}

/** The key of a source: its URL, or its title if it has no URL. */
function keyOf({ url, title }: Source): string | undefined {
  return url === undefined ? title && `title ${title}` : `url ${url}`
}

function titleOf({ url, title }: Source): string {
  // Keep the title on one line: several lines would look like several sources.
  const line = title?.replaceAll(/\s+/g, ' ').trim()
  if (!line) return url ?? ''
  return url === undefined || url === line ? line : `${line} — ${url}`
}

/** Whether the provider marks the source as cited, by cited text or by a position in the answer's text. */
function isCited({ citedText, providerMetadata }: Source): boolean {
  if (typeof citedText === 'string') return true
  return Object.values(providerMetadata ?? {}).some(
    (facts) =>
      typeof facts === 'object' &&
      facts !== null &&
      PLACES.some((place) => typeof (facts as { [fact: string]: unknown })[place] === 'number'),
  )
}
