import type { FinishReason, JsonObject } from '@braidwork/plugin'

export interface ToolCallContent {
  readonly type: 'tool_call'
  readonly id: string
  readonly name: string
  /** Usually JSON; any text if a script asks for arguments that do not parse. */
  readonly arguments: string
  readonly provider_executed?: boolean
}

export interface ToolResultContent {
  readonly type: 'tool_result'
  readonly id: string
  readonly name: string
  readonly output: unknown
  readonly is_error?: boolean
}

/** The content of messages and answers. Parts for readers only (sources, data) are never sent. */
export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string; readonly id: string }
  | {
      readonly type: 'file'
      readonly media_type: string
      readonly name?: string
      readonly data?: string
      readonly url?: string
    }
  | { readonly type: 'source'; readonly source: JsonObject }
  | { readonly type: 'data'; readonly name: string; readonly data: unknown }
  | ToolCallContent
  | ToolResultContent

export interface NativeMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: readonly Content[]
}

export interface NativeTool {
  readonly name: string
  readonly description: string
  readonly input_schema: JsonObject
}

export interface NativeUsage {
  readonly input?: number
  readonly output?: number
  readonly reasoning?: number
  readonly cache_read?: number
  readonly cache_write?: number
}

/** A whole answer: the provider's final. */
export interface NativeAnswer {
  readonly role: 'assistant'
  readonly content: readonly Content[]
  readonly finish_reason: FinishReason
  readonly usage: NativeUsage
  readonly metadata?: JsonObject
}

/** A chunk of a streamed answer. A new `index` begins a new piece; `end` is always the last chunk. */
export type Chunk =
  | {
      readonly type: 'text' | 'reasoning'
      readonly index: number
      readonly text: string
      readonly id?: string
    }
  | {
      readonly type: 'tool_call'
      readonly index: number
      readonly id: string
      readonly name: string
      readonly provider_executed?: boolean
    }
  | { readonly type: 'arguments'; readonly index: number; readonly text: string }
  | { readonly type: 'content'; readonly index: number; readonly content: Content }
  | {
      readonly type: 'end'
      readonly finish_reason: FinishReason
      readonly usage: NativeUsage
      readonly metadata?: JsonObject
    }
