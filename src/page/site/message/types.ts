import { unhidden } from './unhidden.ts'

/** A message as the server's UI message stream builds it: the shape of `UIMessage` of the AI SDK, version 7. */
export interface UiMessage {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'system'
  readonly parts: readonly UiPart[]
  readonly metadata?: UiMetadata
}

/** What the server says of an answer. */
export interface UiMetadata {
  readonly agent?: string
  readonly runId?: string
  /** Milliseconds since 1970. */
  readonly createdAt?: number
  readonly finishReason?: string
  readonly usage?: {
    readonly input?: number
    readonly output?: number
    readonly reasoning?: number
    readonly cost?: number
  }
}

export type UiPart =
  | TextPart
  | ReasoningPart
  | ToolPart
  | FilePart
  | SourcePart
  | DataPart
  | { readonly type: 'step-start' }

/** What providers say of a part. The server wants it back with the message. */
export interface ProviderMetadata {
  readonly [provider: string]: unknown
}

export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly state?: 'streaming' | 'done'
  readonly providerMetadata?: ProviderMetadata
}

export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly id?: string
  readonly text: string
  readonly state?: 'streaming' | 'done'
  readonly providerMetadata?: ProviderMetadata
}

export interface FilePart {
  readonly type: 'file'
  readonly mediaType: string
  readonly url: string
  readonly filename?: string
  readonly providerMetadata?: ProviderMetadata
}

export interface SourcePart {
  readonly type: 'source-url' | 'source-document'
  readonly sourceId: string
  readonly url?: string
  readonly title?: string
  readonly mediaType?: string
  readonly filename?: string
  readonly providerMetadata?: ProviderMetadata
}

export interface DataPart {
  readonly type: `data-${string}`
  readonly id?: string
  readonly data: unknown
}

/** A call of a tool, with its answer. */
export interface ToolPart {
  readonly type: 'dynamic-tool' | `tool-${string}`
  readonly toolCallId: string
  /** Absent where the type has the name. */
  readonly toolName?: string
  readonly state: ToolState
  /** While it streams, the text so far; from the end of its JSON on, the value. */
  readonly input?: unknown
  readonly output?: unknown
  readonly errorText?: string
  /** Whether the output is progress, which a later one replaces. */
  readonly preliminary?: boolean
  readonly providerExecuted?: boolean
  readonly callProviderMetadata?: ProviderMetadata
  /** Under `braidwork`, the class of an error and the references to a large result. */
  readonly resultProviderMetadata?: ProviderMetadata
  readonly approval?: {
    readonly id: string
    readonly approved?: boolean
    readonly reason?: string
  }
}

export type ToolState =
  | 'input-streaming'
  | 'input-available'
  | 'approval-requested'
  | 'approval-responded'
  | 'output-available'
  | 'output-error'
  | 'output-denied'

export function isTool(part: UiPart): part is ToolPart {
  return part.type === 'dynamic-tool' || part.type.startsWith('tool-')
}

export function isData(part: UiPart): part is DataPart {
  return part.type.startsWith('data-')
}

/** The name of the tool that a part calls, as it is shown. */
export function toolNameOf(part: ToolPart): string {
  return unhidden(part.toolName ?? part.type.slice('tool-'.length))
}

/** What a person said to an answer while it came. */
export interface SteeringPart {
  readonly id: string | undefined
  readonly text: string
}

/** What a part shows of what was said to its answer. Undefined for other parts. */
export function steeringOf(part: UiPart): SteeringPart | undefined {
  if (part.type !== 'data-steering') return undefined
  const { id, data } = part
  const { text } = Object(data) as { readonly text?: unknown }
  return typeof text === 'string' ? { id, text } : undefined
}

/** The text of a message. */
export function textOf({ parts }: UiMessage): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
