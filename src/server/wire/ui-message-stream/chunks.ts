import { isObject, type Part, type ToolResultPart } from '@braidwork/plugin'
import { resultFacts, sseData, withSafeAddresses } from '../index.ts'

/** The supported major versions of the AI SDK. */
export const SDK_VERSIONS = [5, 6, 7] as const
export type SdkVersion = (typeof SDK_VERSIONS)[number]

/** The response headers of a UI message stream. */
export const UI_MESSAGE_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  'x-vercel-ai-ui-message-stream': 'v1',
} as const

/** The content of the last frame, after the chunk that ends the response. */
export const DONE = '[DONE]'

const PROTOTYPE_KEY = /"(?:__proto__|constructor)":/

/** Formats a chunk as an SSE frame. */
export function frameOf(chunk: object): string {
  const json = JSON.stringify(chunk)
  return sseData(PROTOTYPE_KEY.test(json) ? JSON.stringify(chunk, withoutPrototypeKey) : json)
}

/** Removes `__proto__` and `constructor.prototype`, because clients refuse a chunk that contains one of them. */
function withoutPrototypeKey(key: string, value: unknown): unknown {
  if (key === '__proto__') return undefined
  if (key !== 'constructor' || !isObject(value)) return value
  const { prototype: _, ...rest } = value
  return rest
}

/**
 * Returns provider metadata in the form that clients accept: only objects, by provider. Empty if there are none.
 */
export function metadataOf({ providerMetadata }: Pick<Part, 'providerMetadata'>): {
  readonly providerMetadata?: { readonly [provider: string]: object }
} {
  if (providerMetadata === undefined) return {}
  const objects = Object.entries(withSafeAddresses(providerMetadata)).filter(([, facts]) =>
    isObject(facts),
  )
  return objects.length > 0 ? { providerMetadata: Object.fromEntries(objects) as never } : {}
}

/** The metadata of a tool's result: that of its provider, and as `braidwork` what the host knows of it. */
export function resultMetadataOf(result: ToolResultPart): ReturnType<typeof metadataOf> {
  const facts = resultFacts(result)
  const { providerMetadata } = metadataOf(result)
  if (facts === undefined) return providerMetadata ? { providerMetadata } : {}
  return { providerMetadata: { ...providerMetadata, braidwork: facts } }
}
