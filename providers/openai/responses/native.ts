/**
 * The native request and the chunks of the Responses API, for extensions that change them. They name the fields that
 * the provider sends and reads; the API has more. https://platform.openai.com/docs/api-reference/responses
 */

/** An item of a conversation: a message, a tool call, the output of one, reasoning and others, told by `type`. */
export interface ResponsesItem {
  readonly type?: string | null
  readonly id?: string | null
  readonly role?: string
  readonly content?: unknown
  /** Of a tool call and of its output. */
  readonly call_id?: string | null
  readonly name?: string | null
  /** Of a tool call: JSON. */
  readonly arguments?: unknown
  readonly output?: unknown
  readonly [field: string]: unknown
}

export interface ResponsesTool {
  readonly type: string
  readonly name?: string
  readonly description?: string | null
  readonly parameters?: unknown
  readonly strict?: boolean | null
  readonly [field: string]: unknown
}

/** The native request: the body that is sent. */
export interface ResponsesRequest {
  readonly model?: string
  readonly input?: string | readonly ResponsesItem[]
  readonly instructions?: string | null
  readonly tools?: readonly ResponsesTool[]
  readonly temperature?: number | null
  readonly top_p?: number | null
  readonly max_output_tokens?: number | null
  readonly stream?: boolean | null
  readonly [field: string]: unknown
}

/** An event of a streamed answer, such as `response.output_text.delta` with its `delta`. */
export interface ResponsesChunk {
  readonly type: string
  readonly delta?: unknown
  /** The item that the event belongs to. */
  readonly item_id?: string
  readonly output_index?: number
  readonly content_index?: number
  readonly item?: ResponsesItem
  readonly response?: {
    readonly id?: string
    readonly status?: string
    readonly output?: readonly ResponsesItem[]
    readonly usage?: unknown
    readonly [field: string]: unknown
  }
  readonly [field: string]: unknown
}
