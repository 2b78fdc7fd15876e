import { isObject } from './json.ts'
import type { ResultEvidence, ToolCallError } from './tool-calls.ts'
import type { Usage } from './usage.ts'

export const ROLES = ['system', 'user', 'assistant', 'tool'] as const
export type Role = (typeof ROLES)[number]

/** Metadata of a part, keyed by provider. A provider reads only its own and gets it back unchanged. */
interface WithProviderMetadata {
  readonly providerMetadata?: { readonly [provider: string]: unknown }
}

export interface TextPart extends WithProviderMetadata {
  readonly type: 'text'
  readonly text: string
}

export interface ReasoningPart extends WithProviderMetadata {
  readonly type: 'reasoning'
  readonly text: string
}

/** A file. It has its content as base64 in `data`, or its address in `url`. */
export interface FilePart extends WithProviderMetadata {
  readonly type: 'file'
  readonly mediaType: string
  readonly data?: string
  readonly url?: string
  readonly name?: string
}

/** A tool call. `input` is a string if the model's arguments are not valid JSON. */
export interface ToolCallPart extends WithProviderMetadata {
  readonly type: 'tool-call'
  readonly callId: string
  readonly name: string
  readonly input: unknown
  /** The provider ran the call itself, and the message holds the result too. */
  readonly providerExecuted?: boolean
}

/** Stored bytes of a tool's result, of which the model got only a preview. LT-09 */
export interface ResultReference {
  /** The SHA-256 of the bytes in hexadecimal. */
  readonly hash: string
  readonly mediaType: string
  /** The number of bytes. */
  readonly size: number
}

export interface ToolResultPart extends WithProviderMetadata, ResultEvidence {
  readonly type: 'tool-result'
  readonly callId: string
  readonly name: string
  readonly output: unknown
  readonly isError?: boolean
  /** Why the call did not succeed, if the host ran it. */
  readonly error?: ToolCallError
  readonly providerExecuted?: boolean
  /** Present if `output` is only a preview. */
  readonly references?: readonly ResultReference[]
}

export interface SourcePart extends WithProviderMetadata {
  readonly type: 'source'
  readonly url?: string
  readonly title?: string
  readonly [key: string]: unknown
}

export interface DataPart extends WithProviderMetadata {
  readonly type: 'data'
  readonly name: string
  readonly data: unknown
}

export type Part =
  | TextPart
  | ReasoningPart
  | FilePart
  | ToolCallPart
  | ToolResultPart
  | SourcePart
  | DataPart

/** Why an answer ended. */
export const FINISH_REASONS = [
  'stop',
  'length',
  'tool-calls',
  'content-filter',
  'error',
  'other',
] as const
export type FinishReason = (typeof FINISH_REASONS)[number]

/** The metadata of a message that the host reads. Plugins may add other keys. */
export interface MessageMetadata {
  readonly finishReason?: FinishReason
  readonly usage?: Usage
  /** Asks `run` for one more step, with `message` as an additional user message. */
  readonly retry?: { readonly message: string; readonly code: string }
  readonly [key: string]: unknown
}

/** A core message: the host's message format, which is the same for all providers. */
export interface Message {
  readonly id?: string
  readonly role: Role
  readonly parts: readonly Part[]
  readonly metadata?: MessageMetadata
  /** Never present: it tells a message from an event. */
  readonly type?: undefined
}

/** The messages of a request. A string stands for one user message with one text part. */
export type MessagesInput = string | readonly Message[]

/** Whether a value has the outer shape of a message: a known role, and parts that are objects. */
export function isMessage(value: unknown): value is Message {
  if (!isObject(value) || !Array.isArray(value['parts'])) return false
  return ROLES.some((role) => role === value['role']) && value['parts'].every(isObject)
}

/** The text of a message: its text parts, joined. */
export function textOf(message: Message): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
