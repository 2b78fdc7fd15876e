import type { ToolPart } from '../message/index.ts'

/** A result that is too large for the conversation, stored by its hash. */
export interface Reference {
  readonly hash: string
  readonly mediaType: string
  /** In bytes. */
  readonly size: number
}

/** What the host knows of a result beside what the model reads. */
export interface ToolFacts {
  /** The class of a failure, such as `timeout`. */
  readonly errorClass?: string
  readonly references: readonly Reference[]
}

/** The facts in the metadata of a result, which may be of any shape. */
export function factsOf({ resultProviderMetadata }: ToolPart): ToolFacts {
  const { error, references } = Object(resultProviderMetadata?.['braidwork']) as {
    readonly error?: unknown
    readonly references?: unknown
  }
  const { class: errorClass } = Object(error) as { readonly class?: unknown }
  return {
    references: Array.isArray(references) ? references.filter(isReference) : [],
    ...(typeof errorClass === 'string' ? { errorClass } : {}),
  }
}

function isReference(value: unknown): value is Reference {
  const { hash, mediaType, size } = Object(value) as Partial<Record<string, unknown>>
  return typeof hash === 'string' && typeof mediaType === 'string' && typeof size === 'number'
}
