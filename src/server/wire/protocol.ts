import type { Config, JsonObject, Message, RunEvent } from '@braidwork/plugin'
import type { ClientTool } from './client-tools.ts'
import type { ToolWords } from './tool-words.ts'

/** The settings that a request may contain. The server decides about everything else. */
export type RequestSettings = Pick<
  Config,
  | 'temperature'
  | 'top_p'
  | 'max_output_tokens'
  | 'stop'
  | 'seed'
  | 'tool_choice'
  | 'parallel_tool_calls'
  | 'reasoning_effort'
  | 'response_format'
> &
  OpenAISettings &
  AnthropicSettings

/** Settings of OpenAI's APIs. Providers that have no such parameter leave them out. */
type OpenAISettings = {
  readonly presence_penalty?: number
  readonly frequency_penalty?: number
  readonly logit_bias?: JsonObject
  readonly user?: string
  readonly metadata?: JsonObject
  /** The client wants nobody to store the answer. */
  readonly store?: false
  readonly reasoning_summary?: (typeof REASONING_SUMMARIES)[number]
  readonly sealed_reasoning?: true
  readonly prompt_cache_key?: string
}

export const REASONING_SUMMARIES = ['auto', 'concise', 'detailed'] as const

/** Settings of Anthropic's API. Providers that have no such parameter leave them out. */
type AnthropicSettings = {
  /** The effort of an answer whose reasoning is off, or has a number of tokens. */
  readonly answer_effort?: Config['reasoning_effort']
  /** From how many of the likeliest tokens the model chooses. */
  readonly top_k?: number
}

/** A person's answer to a request for approval, or to a question. */
export interface ApprovalAnswer {
  readonly approvalId: string
  readonly approved: boolean
  readonly reason?: string
  /** The answer to a question. */
  readonly value?: unknown
  /** The place of the answer in the request, for errors about it. */
  readonly pointer?: string
}

/** A client's request, decoded from its protocol. */
export interface WireRequest {
  /** The id of the agent: the name of a published model. Absent if the request names none. */
  readonly agent?: string
  /** The client's id for the conversation, if the protocol has one. */
  readonly conversationId?: string
  /** Whether the conversation must exist already. Otherwise the request begins it. */
  readonly mustExist?: boolean
  /** Whether the client says that the messages are all that it shows. The default is false: they may be the last ones. */
  readonly isWhole?: boolean
  /** The history as the client has it, with the protocol's message ids if it has any. */
  readonly messages: readonly Message[]
  readonly settings: RequestSettings
  /** The JSON pointer of the schema of the answer in the request, if it has one. */
  readonly schemaPlace?: string
  /** The tools that the client defines. The client answers their calls. */
  readonly tools: readonly ClientTool[]
  /** How the client names those of its tools that the model is shown in another way. */
  readonly toolWords?: ToolWords
  /** `none`: the client wants no tools of the host in this run. */
  readonly hostTools?: 'none'
  readonly isStreaming: boolean
  /** The message to regenerate. The history ends before it. */
  readonly regenerate?: { readonly messageId?: string }
  readonly approvals: readonly ApprovalAnswer[]
  /**
   * The client's id for the run, in a protocol without a word for another answer: a new run that ends with a message
   * that is answered wants one, and the same run wants its answer again.
   */
  readonly clientRunId?: string
  /** The names of fields that the server accepted but ignored. */
  readonly ignored: readonly string[]
}

/**
 * The facts about a run, besides its events, that an encoder needs. All are stored, so that a log can be encoded
 * again.
 */
export interface RunFacts {
  readonly runId: string
  readonly conversationId?: string
  /** The id of the assistant message that the run writes. */
  readonly messageId: string
  /** The id of the agent, as the client requested it. */
  readonly agent: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** The names of the client's own tools. Calls of other tools are not for the client to answer. */
  readonly clientTools: ReadonlySet<string>
  /** How the client names those of its tools that the model is shown in another way. */
  readonly toolWords?: ToolWords
  /**
   * Whether the texts of an answer are those of its last step: the client asked for a format, and tools of the host are
   * offered. Protocols whose clients join all texts use it. The default is false.
   */
  readonly holdsText?: boolean
}

/**
 * Encodes the events of a run as text. An encoder is deterministic: the same facts and events give the same text,
 * so a late reader receives the same as the first one. It is given each event once, in order, up to the ending.
 */
export interface StreamEncoder {
  /** Returns complete frames for an event, or an empty string if the protocol has no equivalent. */
  encode(event: RunEvent): string
}

/** A whole response or an error, for sending over HTTP. */
export interface WireAnswer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: unknown
  /** The name of the event that the body is, where it is sent as a stream of one server-sent event. */
  readonly event?: string
}
