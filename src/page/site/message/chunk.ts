import type { ProviderMetadata, UiMetadata } from './types.ts'

/** A parsed chunk of a stream, of which nothing is known yet. */
export interface Chunk {
  readonly [field: string]: unknown
}

/** Whether a parsed value is an object with fields. */
export function isChunk(value: unknown): value is Chunk {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text under a name. Undefined where there is none. */
export function textIn(chunk: Chunk, name: string): string | undefined {
  const value = chunk[name]
  return typeof value === 'string' ? value : undefined
}

/** Leaves out the fields without a value. */
export function defined<T extends object>(
  fields: T,
): { [name in keyof T]?: Exclude<T[name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [name in keyof T]?: Exclude<T[name], undefined> }
}

/** What the provider says of a part. Undefined where the chunk says nothing. */
export function providerMetadataOf({
  providerMetadata,
}: Chunk): { readonly providerMetadata: ProviderMetadata } | undefined {
  return isChunk(providerMetadata) ? { providerMetadata } : undefined
}

const TEXTS = ['agent', 'runId', 'finishReason'] as const

/** The metadata of a message, with what a chunk adds. Fields of other types than the server's are left out. */
export function withMetadata(
  before: UiMetadata | undefined,
  added: unknown,
): UiMetadata | undefined {
  if (!isChunk(added)) return before
  const { createdAt, usage } = added
  return {
    ...before,
    ...Object.fromEntries(
      TEXTS.flatMap((name) => (typeof added[name] === 'string' ? [[name, added[name]]] : [])),
    ),
    ...(typeof createdAt === 'number' ? { createdAt } : {}),
    ...(isChunk(usage) ? { usage: { ...before?.usage, ...numbersIn(usage) } } : {}),
  }
}

function numbersIn(chunk: Chunk): { readonly [name: string]: number } {
  const entries = Object.entries(chunk).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && entry[0] !== '__proto__',
  )
  return Object.fromEntries(entries)
}
