import { createHash } from 'node:crypto'
import type { Part } from '@a2a-js/sdk'
import { isObject } from '@braidwork/plugin'

/** The new parts of an artifact that was sent anew. */
export interface Replacement {
  readonly parts: readonly Part[]
  /** Whether the artifact has another text than this answer has shown: the text in the parts does not go on with it. */
  readonly isOther: boolean
}

/** What earlier answers of a task have shown of an artifact, as JSON. */
interface ShownBefore {
  /** The length of the text, and its hash. */
  readonly length: number
  readonly digest: string
  /** The names of files and data. */
  readonly others: readonly string[]
}

/** What was shown of an artifact. */
export class ShownArtifact {
  readonly #before: ShownBefore | undefined
  /** The text of this answer. */
  #text = ''
  /** The text with that of earlier answers, if it is known. */
  #whole: string | undefined
  readonly #others: Set<string>

  /** @param before what an earlier answer noted; anything else counts as nothing */
  constructor(before?: unknown) {
    this.#before = isShownBefore(before) ? before : undefined
    this.#whole = this.#before ? undefined : ''
    this.#others = new Set(this.#before?.others)
  }

  /** The text that this answer has shown. */
  get text(): string {
    return this.#text
  }

  /** Whether files or data were shown. */
  get hasOthers(): boolean {
    return this.#others.size > 0
  }

  /** Notes parts that come after the others. */
  add(parts: readonly Part[]): void {
    for (const { content, ...about } of parts) {
      if (content?.$case === 'text') this.#say(content.value)
      else this.#others.add(keyOf({ content, ...about }))
    }
  }

  /** Finds what was not shown yet in the parts that take the place of all before. */
  replace(parts: readonly Part[]): Replacement {
    const text = parts.map(textOf).join('')
    const start = this.#isOf(text) ? (this.#before?.length ?? 0) : 0
    const goesOn = text.startsWith(this.#text, start)
    let shown = goesOn ? start + this.#text.length : start
    const isOther = !goesOn && this.#text !== ''
    const fresh = parts.flatMap((part): readonly Part[] => {
      const own = textOf(part)
      if (part.content?.$case !== 'text') return this.#others.has(keyOf(part)) ? [] : [part]
      const value = own.slice(shown)
      shown = Math.max(0, shown - own.length)
      return value === '' ? [] : [{ ...part, content: { $case: 'text', value } }]
    })
    this.add(parts)
    this.#text = text.slice(start)
    this.#whole = text
    return { parts: fresh, isOther }
  }

  /** What a later answer of the task need not show again. */
  noted(): ShownBefore {
    const { length, digest } = this.#before ?? NOTHING
    const others = [...this.#others]
    if (this.#whole === undefined) return { length, digest, others }
    return { length: this.#whole.length, digest: digestOf(this.#whole), others }
  }

  #say(text: string): void {
    this.#text += text
    if (this.#whole !== undefined) this.#whole += text
  }

  /** Whether a text begins with the one that was shown before this answer. */
  #isOf(text: string): boolean {
    const { length, digest } = this.#before ?? NOTHING
    return length > 0 && digestOf(text.slice(0, length)) === digest
  }
}

const NOTHING: ShownBefore = { length: 0, digest: '', others: [] }

function isShownBefore(value: unknown): value is ShownBefore {
  if (!isObject(value)) return false
  const { length, digest, others } = value
  return Number.isSafeInteger(length) && typeof digest === 'string' && Array.isArray(others)
}

function textOf({ content }: Part): string {
  return content?.$case === 'text' ? content.value : ''
}

/** Names a file or a datum. Files may be large, so they are not kept. */
function keyOf({ content, mediaType, filename }: Part): string {
  const value = content?.$case === 'raw' ? Buffer.from(content.value).toString('base64') : content
  return digestOf(JSON.stringify([value, mediaType, filename]))
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
