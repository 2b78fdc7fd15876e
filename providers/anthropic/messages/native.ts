/**
 * The native request and the chunks of the Messages API, for extensions that change them. They name the fields that the
 * provider sends and reads; the API has more. https://docs.anthropic.com/en/api/messages
 */

/** A block of content: text, an image, a tool call, its result, thinking and others, told by `type`. */
export interface MessagesBlock {
  readonly type: string
  readonly text?: string
  readonly thinking?: string
  readonly id?: string
  readonly name?: string
  readonly input?: unknown
  /** Of a result: the call that it answers. */
  readonly tool_use_id?: string
  readonly content?: unknown
  readonly [field: string]: unknown
}

export interface MessagesTurn {
  readonly role: string
  readonly content: string | readonly MessagesBlock[]
  readonly [field: string]: unknown
}

export interface MessagesTool {
  readonly name?: string
  readonly description?: string
  readonly input_schema?: object
  readonly type?: string | null
  readonly [field: string]: unknown
}

/** The native request: the body that is sent. */
export interface MessagesRequest {
  readonly model: string
  readonly max_tokens: number
  readonly messages: readonly MessagesTurn[]
  readonly system?: string | readonly MessagesBlock[]
  readonly tools?: readonly MessagesTool[]
  readonly temperature?: number
  readonly top_p?: number
  readonly stop_sequences?: readonly string[]
  readonly stream?: boolean
  readonly [field: string]: unknown
}

/** An event of a streamed answer, such as `content_block_delta` with its `delta`. */
export interface MessagesChunk {
  readonly type: string
  /** The block that the event belongs to. */
  readonly index?: number
  readonly content_block?: MessagesBlock
  readonly delta?: {
    readonly type?: string
    readonly text?: string
    readonly thinking?: string
    readonly partial_json?: string
    readonly stop_reason?: string | null
    readonly [field: string]: unknown
  }
  readonly message?: {
    readonly id?: string
    readonly model?: string
    readonly [field: string]: unknown
  }
  readonly usage?: unknown
  readonly [field: string]: unknown
}
