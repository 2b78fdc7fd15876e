import type { Part, ToolResultPart, Usage } from '@braidwork/plugin'
import { defined, outputTextOf, resultFacts, sseData, withSafeAddresses } from '../index.ts'

/** The version of the protocol that this server implements. */
export const PROTOCOL_VERSION = '1.0'

/** Whether clients can discard the content of a step. They keep the parts that they had. AW-26 */
export const AG_UI_CAN_RESET = false

export const AG_UI_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const

/** Formats an event as an SSE frame. */
export function frameOf(event: object): string {
  return sseData(JSON.stringify(event))
}

/** Returns the JSON of an event with the key `delta` at its end. The caller appends the value and the brace. */
export function headOf(event: object): string {
  return `${JSON.stringify(event).slice(0, -1)},"delta":`
}

/** The end of a frame. */
const END = '}\n\n'

/** Gives all frames of a text the time of the event that they are sent for. JSON has no line breaks. */
export function withTimestamp(frames: string, at: number): string {
  const end = `,"timestamp":${at}}\n\n`
  // Most events are sent as one frame.
  const isOne = frames.indexOf(END) === frames.length - END.length
  return isOne ? frames.slice(0, -END.length) + end : frames.replaceAll(END, end)
}

export function custom(name: string, value: unknown): string {
  return frameOf({ type: 'CUSTOM', name, value: value ?? null })
}

/**
 * Encodes provider metadata as a value that clients store and send back unread.
 * @param subtype the kind of object that the metadata belongs to
 */
export function encryptedValue(
  subtype: 'message' | 'tool-call',
  entityId: string,
  part: Pick<Part, 'providerMetadata'>,
): string {
  const { encryptedValue: value } = encryptedOf(part)
  if (value === undefined) return ''
  return frameOf({ type: 'REASONING_ENCRYPTED_VALUE', subtype, entityId, encryptedValue: value })
}

/** The id of the message with the result of a call. @param base the id of the answer that made the call */
export function resultId(base: string, { callId }: ToolResultPart): string {
  return `${base}.result-${callId}`
}

/** The result of a call, as its event and its message in a history have it. */
export function shownResult(result: ToolResultPart): {
  readonly role: 'tool'
  readonly [field: string]: unknown
} {
  const { callId: toolCallId, isError } = result
  const facts = resultFacts(result)
  const metadata = isError || facts ? { metadata: { ...defined({ isError }), ...facts } } : {}
  return { toolCallId, role: 'tool', content: outputTextOf(result), ...metadata }
}

/** The provider metadata of a part as clients keep it in their messages. */
export function encryptedOf({ providerMetadata }: Pick<Part, 'providerMetadata'>): {
  readonly encryptedValue?: string
} {
  if (providerMetadata === undefined || Object.keys(providerMetadata).length === 0) return {}
  return { encryptedValue: JSON.stringify(withSafeAddresses(providerMetadata)) }
}

/** Returns the token counts of a run, or an empty list if none is known. */
export function usageOf(usage: Usage, agent: string): readonly object[] {
  const { input, output, reasoning, cacheRead, cacheWrite } = usage
  const counts = defined({
    inputTokens: input,
    outputTokens: output,
    totalTokens: input === undefined || output === undefined ? undefined : input + output,
    reasoningTokens: reasoning,
    cachedInputTokens: cacheRead,
    cacheWriteInputTokens: cacheWrite,
  })
  return Object.keys(counts).length > 0 ? [{ model: agent, ...counts }] : []
}
