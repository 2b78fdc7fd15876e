import { createHash } from 'node:crypto'
import type { Part } from '@a2a-js/sdk'

/** The new parts of an artifact that was sent anew. */
export interface Replacement {
  readonly parts: readonly Part[]
  /** Whether the artifact has another text now: the text in the parts does not go on with what was shown. */
  readonly isOther: boolean
}

/** What was shown of an artifact. A stream cannot take it back. */
export class ShownArtifact {
  #text = ''
  readonly #others = new Set<string>()

  /** Notes parts that come after the others. */
  add(parts: readonly Part[]): void {
    for (const { content, ...about } of parts) {
      if (content?.$case === 'text') this.#text += content.value
      else this.#others.add(keyOf({ content, ...about }))
    }
  }

  /** Finds what was not shown yet in the parts that take the place of all before. */
  replace(parts: readonly Part[]): Replacement {
    const text = parts.map(textOf).join('')
    const isOther = !text.startsWith(this.#text)
    let shown = isOther ? 0 : this.#text.length
    const fresh = parts.flatMap((part): readonly Part[] => {
      const own = textOf(part)
      if (part.content?.$case !== 'text') return this.#others.has(keyOf(part)) ? [] : [part]
      const value = own.slice(shown)
      shown = Math.max(0, shown - own.length)
      return value === '' ? [] : [{ ...part, content: { $case: 'text', value } }]
    })
    this.#text = ''
    this.add(parts)
    return { parts: fresh, isOther }
  }
}

function textOf({ content }: Part): string {
  return content?.$case === 'text' ? content.value : ''
}

/** Names a file or a datum. Files may be large, so they are not kept. */
function keyOf({ content, mediaType, filename }: Part): string {
  const value = content?.$case === 'raw' ? Buffer.from(content.value).toString('base64') : content
  const text = JSON.stringify([value, mediaType, filename])
  return createHash('sha256').update(text).digest('base64')
}
