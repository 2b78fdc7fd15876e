import type { Config, Message, RunEvent, ToolSchema } from '@braidwork/plugin'

/** The neutral settings that a request over a wire may bring; everything else is the server's. */
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
>

/** A person's answer to a request for approval. */
export interface ApprovalAnswer {
  readonly approvalId: string
  readonly approved: boolean
  readonly reason?: string
}

/** What a client asked for, in the host's words. */
export interface WireRequest {
  /** The published model or agent; none where the protocol does not name one. */
  readonly model?: string
  /** The client's id of the conversation, where its protocol has one. */
  readonly conversationId?: string
  /** The history as the client has it, with the protocol's message ids where it has them. */
  readonly messages: readonly Message[]
  readonly settings: RequestSettings
  /** Tools of the client: their calls are the client's to answer. */
  readonly tools: readonly ToolSchema[]
  readonly isStreaming: boolean
  /** The message to answer anew; that and all after it are left out of the history. */
  readonly regenerate?: { readonly messageId?: string }
  readonly approvals: readonly ApprovalAnswer[]
  /** Fields of the request that are accepted and not honoured, by name. */
  readonly ignored: readonly string[]
}

/** What an encoder is told of a run beside its events. All of it is stored, so that a log can be encoded again. */
export interface RunFacts {
  readonly runId: string
  readonly conversationId?: string
  /** The id of the assistant message that the run writes. */
  readonly messageId: string
  /** The published name, as the client asked for it. */
  readonly model: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Names of the client's own tools: the calls of all others are the host's affair. */
  readonly clientTools: ReadonlySet<string>
}

/**
 * A run's events as text on the wire. Pure: the same facts and events give the same text, so that whoever
 * comes later reads what whoever came first read. Each event is given once, in order, to the ending.
 */
export interface StreamEncoder {
  /** Frames for an event, complete with their blank lines; empty where the protocol has no word for it. */
  encode(event: RunEvent): string
}

/** A whole answer, or an error, as an HTTP response. */
export interface WireAnswer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: unknown
}
