/** What an answer of the Embeddings API tells. */
export interface EmbeddingsAnswer {
  /** The model's name, as the client requested it. */
  readonly model: string
  readonly vectors: readonly ArrayLike<number>[]
  readonly tokens: number
  readonly isBase64: boolean
}

/** Yields the body of the answer in pieces, one for each vector, so that no large answer is encoded at once. */
export function* embeddingsPieces({
  model,
  vectors,
  tokens,
  isBase64,
}: EmbeddingsAnswer): Generator<string, void, undefined> {
  yield '{"object":"list","data":['
  for (const [index, vector] of vectors.entries()) {
    const embedding = isBase64 ? base64Of(vector) : JSON.stringify(Array.from(vector))
    yield `${index === 0 ? '' : ','}{"object":"embedding","index":${index},"embedding":${embedding}}`
  }
  const usage = { prompt_tokens: tokens, total_tokens: tokens }
  yield `],"model":${JSON.stringify(model)},"usage":${JSON.stringify(usage)}}`
}

/** Writes numbers of 32 bits, the lowest byte first, as a JSON string of base64. */
function base64Of(vector: ArrayLike<number>): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (let at = 0; at < vector.length; at++) bytes.writeFloatLE(vector[at] ?? 0, at * 4)
  return `"${bytes.toString('base64')}"`
}
