import type { EventSourceMessage } from 'eventsource-parser'

/** How a stream is divided into chunks: into server-sent events, or into lines that are JSON objects each. */
export type Lines = 'server-sent-events' | 'ndjson'

/** Divides the text of a body, and passes each piece of data on. */
export interface Divider {
  feed(text: string): void
}

/** Where a divider passes data and faults to. */
export interface Divided {
  /** The most characters that it keeps of a piece that has not ended. */
  readonly maxBufferSize: number
  readonly onEvent: (event: EventSourceMessage) => void
  readonly onError: (error: { readonly type: string }) => void
}
