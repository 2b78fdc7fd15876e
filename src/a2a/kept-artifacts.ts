import type { Part } from '@a2a-js/sdk'

/** The artifacts of a task as its agent has them at present, in the order in which they came. */
export class KeptArtifacts {
  readonly #all = new Map<string, Part[]>()

  /** @param isMore whether the parts come after those before, instead of in their place */
  take(artifactId: string, parts: readonly Part[], isMore: boolean): void {
    const kept = isMore ? (this.#all.get(artifactId) ?? []) : []
    for (const part of parts) addTo(kept, part)
    this.#all.set(artifactId, kept)
  }

  entries(): readonly (readonly [artifactId: string, parts: readonly Part[]])[] {
    return [...this.#all]
  }
}

/** Joins texts, since a stream brings thousands of pieces. */
function addTo(parts: Part[], part: Part): void {
  const last = parts.at(-1)
  if (last?.content?.$case !== 'text' || part.content?.$case !== 'text') {
    parts.push(part)
    return
  }
  const value = last.content.value + part.content.value
  parts[parts.length - 1] = { ...last, content: { $case: 'text', value } }
}
