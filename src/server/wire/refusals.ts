import { type FinishEvent, isObject, type Part } from '@braidwork/plugin'

type Metadata = { readonly [provider: string]: unknown } | undefined

/** Whether the metadata of a text says that it is the model's refusal to answer. */
export function isRefusal(metadata: Metadata): boolean {
  return Object.values(metadata ?? {}).some((own) => isObject(own) && own['refusal'] === true)
}

/** Whether an answer ends with a refusal: the last of its texts is one. */
export function endsRefused(parts: readonly Part[]): boolean {
  const last = parts.findLast((part) => part.type === 'text' && part.text !== '')
  return isRefusal(last?.providerMetadata)
}

/** Returns the finish for OpenAI's APIs, where an answer that ends with a refusal is complete, and not filtered. */
export function finishOfRefusal(finish: FinishEvent): FinishEvent {
  return finish.finishReason === 'content-filter' ? { ...finish, finishReason: 'stop' } : finish
}
