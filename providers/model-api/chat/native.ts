/**
 * The native request and the chunks of the Chat Completions API, for extensions that change them. They name the fields
 * that the providers send and read; an API has more. https://platform.openai.com/docs/api-reference/chat
 */

/** A part of the content of a message, such as `{type: 'text', text}` or `{type: 'image_url', image_url}`. */
export interface ChatContentPart {
  readonly type: string
  readonly text?: string
  readonly [field: string]: unknown
}

/** A tool call of the model. `arguments` is JSON. */
export interface ChatToolCall {
  readonly id?: string
  readonly type?: string
  readonly function?: { readonly name?: string; readonly arguments?: string }
  readonly [field: string]: unknown
}

export interface ChatMessage {
  readonly role: string
  readonly content?: string | readonly ChatContentPart[] | null
  readonly tool_calls?: readonly ChatToolCall[]
  /** Of a message of the role `tool`: the call that it answers. */
  readonly tool_call_id?: string
  readonly [field: string]: unknown
}

export interface ChatTool {
  readonly type: string
  readonly function?: {
    readonly name: string
    readonly description?: string
    readonly parameters?: object
    readonly strict?: boolean | null
  }
  readonly [field: string]: unknown
}

/** The native request: the body that is sent. */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly ChatTool[]
  readonly temperature?: number | null
  readonly top_p?: number | null
  readonly stop?: string | readonly string[] | null
  readonly stream?: boolean | null
  readonly [field: string]: unknown
}

/** A piece of a tool call in a chunk. Pieces with the same `index` belong together. */
export interface ChatToolCallDelta extends ChatToolCall {
  readonly index?: number
}

/** A chunk of a streamed answer. */
export interface ChatChunk {
  readonly id?: string
  readonly model?: string
  readonly choices?: readonly {
    readonly index?: number
    readonly delta?: {
      readonly role?: string
      readonly content?: string | null
      readonly tool_calls?: readonly ChatToolCallDelta[]
      readonly [field: string]: unknown
    }
    readonly finish_reason?: string | null
    readonly [field: string]: unknown
  }[]
  readonly usage?: {
    readonly prompt_tokens?: number
    readonly completion_tokens?: number
    readonly [field: string]: unknown
  } | null
  readonly [field: string]: unknown
}
