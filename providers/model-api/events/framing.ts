import type { EventSourceMessage } from 'eventsource-parser'

/** How a stream is divided into chunks: into server-sent events, or into lines that are JSON objects each. */
export type Framing = 'server-sent-events' | 'ndjson'

/** Divides the text of a body into frames, and passes the data of each on. */
export interface FrameParser {
  feed(text: string): void
}

/** Where a parser passes data and faults to. */
export interface FrameOptions {
  /** The most characters that it keeps of a frame that has not ended. */
  readonly maxBufferSize: number
  readonly onEvent: (event: EventSourceMessage) => void
  readonly onError: (error: { readonly type: string }) => void
}
