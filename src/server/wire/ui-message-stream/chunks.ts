import { isObject, type Part } from '@braidwork/plugin'
import { sseData, withSafeAddresses } from '../index.ts'

/** Major versions of the AI SDK whose clients are known. */
export const SDK_VERSIONS = [5, 6, 7] as const
export type SdkVersion = (typeof SDK_VERSIONS)[number]

/** What speaks the UI message stream of the AI SDK, in headers. */
export const UI_MESSAGE_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
  'x-vercel-ai-ui-message-stream': 'v1',
} as const

/** What the last frame says, after the chunk that ends the answer. */
export const DONE = '[DONE]'

const PROTOTYPE_KEY = /"(?:__proto__|constructor)":/

/** A chunk as a frame. */
export function frameOf(chunk: object): string {
  const json = JSON.stringify(chunk)
  return sseData(PROTOTYPE_KEY.test(json) ? JSON.stringify(chunk, withoutPrototypeKey) : json)
}

/** Clients fail at a chunk with a key that reaches a prototype; the chunk goes without that key. */
function withoutPrototypeKey(key: string, value: unknown): unknown {
  if (key === '__proto__') return undefined
  if (key !== 'constructor' || !isObject(value)) return value
  const { prototype: _, ...rest } = value
  return rest
}

/** Provider metadata as clients take it: objects by provider; nothing where there is none. */
export function metadataOf({ providerMetadata }: Pick<Part, 'providerMetadata'>): {
  readonly providerMetadata?: { readonly [provider: string]: object }
} {
  if (providerMetadata === undefined) return {}
  const objects = Object.entries(withSafeAddresses(providerMetadata)).filter(([, facts]) =>
    isObject(facts),
  )
  return objects.length > 0 ? { providerMetadata: Object.fromEntries(objects) as never } : {}
}
