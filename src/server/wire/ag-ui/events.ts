import type { Part, Usage } from '@braidwork/plugin'
import { defined, sseData, withSafeAddresses } from '../index.ts'

/** The version of the protocol that is spoken. */
export const PROTOCOL_VERSION = '1.0'

export const AG_UI_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const

/** An event as a frame. */
export function frameOf(event: object): string {
  return sseData(JSON.stringify(event))
}

/** JSON of an event, open for the delta that is its last member. */
export function headOf(event: object): string {
  return `${JSON.stringify(event).slice(0, -1)},"delta":`
}

export function custom(name: string, value: unknown): string {
  return frameOf({ type: 'CUSTOM', name, value: value ?? null })
}

/**
 * What a provider said of a part, which a client keeps and gives back unread.
 * @param subtype what the part is to the client
 */
export function encryptedValue(
  subtype: 'message' | 'tool-call',
  entityId: string,
  { providerMetadata }: Pick<Part, 'providerMetadata'>,
): string {
  if (providerMetadata === undefined || Object.keys(providerMetadata).length === 0) return ''
  const value = JSON.stringify(withSafeAddresses(providerMetadata))
  return frameOf({ type: 'REASONING_ENCRYPTED_VALUE', subtype, entityId, encryptedValue: value })
}

/** Token counts of a run, of which nothing is known but what the run counted. */
export function usageOf(usage: Usage, model: string): readonly object[] {
  const { input, output, reasoning, cacheRead, cacheWrite } = usage
  const counts = defined({
    inputTokens: input,
    outputTokens: output,
    totalTokens: input === undefined || output === undefined ? undefined : input + output,
    reasoningTokens: reasoning,
    cachedInputTokens: cacheRead,
    cacheWriteInputTokens: cacheWrite,
  })
  return Object.keys(counts).length > 0 ? [{ model, ...counts }] : []
}
