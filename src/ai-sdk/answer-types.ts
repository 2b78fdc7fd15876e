/** What the AI SDK gets from a language model, in the form of version 7. Readers of these types may change them. */

export type JsonValue = null | string | number | boolean | JsonValue[] | JsonRecord

export interface JsonRecord {
  [key: string]: JsonValue
}

/** Values keyed by provider. The AI SDK sends them back with the next prompt. */
export type Metadata = Record<string, JsonRecord>

interface WithMetadata {
  providerMetadata?: Metadata
}

export type Warning =
  | { type: 'unsupported'; feature: string; details?: string }
  | { type: 'other'; message: string }

export interface ToolCallContent extends WithMetadata {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  /** The arguments as JSON. */
  input: string
  providerExecuted?: boolean
  dynamic?: boolean
}

export interface ToolResultContent extends WithMetadata {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  result: NonNullable<JsonValue>
  isError?: boolean
  dynamic?: boolean
  /** Version 5 reads it. */
  providerExecuted?: boolean
}

export type SourceContent = WithMetadata &
  (
    | { type: 'source'; sourceType: 'url'; id: string; url: string; title?: string }
    | { type: 'source'; sourceType: 'document'; id: string; mediaType: string; title: string }
  )

export interface FileContent extends WithMetadata {
  type: 'file'
  mediaType: string
  data: { type: 'data'; data: string } | { type: 'url'; url: URL }
}

export interface CustomContent extends WithMetadata {
  type: 'custom'
  kind: `${string}.${string}`
}

/** The contents that are the same in an answer and in a stream. */
export type PlainContent =
  | ToolCallContent
  | ToolResultContent
  | SourceContent
  | FileContent
  | CustomContent

export interface TextContent extends WithMetadata {
  type: 'text' | 'reasoning'
  text: string
}

export interface FinishReason {
  unified: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'
  raw: string | undefined
}

export interface Usage {
  inputTokens: {
    total: number | undefined
    noCache: number | undefined
    cacheRead: number | undefined
    cacheWrite: number | undefined
  }
  outputTokens: {
    total: number | undefined
    text: number | undefined
    reasoning: number | undefined
  }
  raw?: JsonRecord
}

export interface ResponseFacts {
  id?: string
  modelId?: string
}

type SegmentPart = WithMetadata & {
  type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end' | 'tool-input-end'
  id: string
}

type DeltaPart = WithMetadata & {
  type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta'
  id: string
  delta: string
}

type InputStartPart = WithMetadata & {
  type: 'tool-input-start'
  id: string
  toolName: string
  providerExecuted?: boolean
  dynamic?: boolean
}

export interface FinishPart {
  type: 'finish'
  finishReason: FinishReason
  usage: Usage
}

export interface StartPart {
  type: 'stream-start'
  warnings: Warning[]
}

/** The parts of a stream that all versions have alike, but for those in {@link StreamPart}. */
export type CommonPart =
  | SegmentPart
  | DeltaPart
  | InputStartPart
  | ({ type: 'response-metadata' } & ResponseFacts)
  | { type: 'raw'; rawValue: unknown }
  | { type: 'error'; error: unknown }

export type StreamPart = CommonPart | PlainContent | StartPart | FinishPart

export interface GenerateResult {
  content: (TextContent | PlainContent)[]
  finishReason: FinishReason
  usage: Usage
  response?: ResponseFacts
  warnings: Warning[]
}
