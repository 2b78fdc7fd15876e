import type { Embedded, EmbedInputs, EmbedOptions } from '@braidwork/core'
import type { PublishedModel } from '../published.ts'

/** Embeddings to make. */
export interface Embedding {
  readonly model: PublishedModel
  readonly headers: Headers
  readonly inputs: EmbedInputs
  readonly options: EmbedOptions
}

/** Vectors, and the number of tokens, which is an estimate if the provider states none. */
export interface Counted extends Pick<Embedded, 'vectors'> {
  readonly tokens: number
}
