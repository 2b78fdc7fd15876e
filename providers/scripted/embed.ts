import { inputError } from './errors.ts'

/** The length of a vector if the request names none. */
const DIMENSIONS = 256
const WORD = /[\p{L}\p{N}]+/gu

/**
 * Turns texts into vectors of length 1, without a model. The same text always has the same vector, and texts that
 * share words have similar ones.
 */
export function embedTexts(
  inputs: readonly (string | readonly number[])[],
  { dimensions = DIMENSIONS }: { readonly dimensions?: number },
): { readonly vectors: readonly Float32Array[]; readonly tokens: number } {
  let tokens = 0
  const vectors = inputs.map((input, index) => {
    if (typeof input !== 'string') throw inputError(index)
    const words = input.toLowerCase().match(WORD) ?? []
    tokens += words.length
    return vectorOf(words, dimensions)
  })
  return { vectors, tokens }
}

function vectorOf(words: readonly string[], dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const word of words) {
    const hash = hashOf(word)
    const at = hash % dimensions
    vector[at] = (vector[at] ?? 0) + (hash & 0x80000000 ? -1 : 1)
  }
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  if (length === 0) vector[0] = 1
  return length === 0 ? vector : vector.map((value) => value / length)
}

/** The 32-bit hash FNV-1a of a text's UTF-16 code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}
