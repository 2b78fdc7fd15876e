import type { Reply } from './replay-server.ts'

const EVENTS = { 'content-type': 'text/event-stream; charset=utf-8' }

export function streamReply(
  text: string | readonly (string | Uint8Array)[],
  more: Partial<Reply> = {},
): Reply {
  return { headers: EVENTS, pieces: typeof text === 'string' ? [text] : text, ...more }
}

export function jsonReply(value: unknown, more: Partial<Reply> = {}): Reply {
  return { pieces: [typeof value === 'string' ? value : JSON.stringify(value)], ...more }
}

/** Splits the bytes of a text into pieces of a size, even within characters and events. */
export function piecesOf(text: string, size: number): readonly Uint8Array[] {
  const bytes = Buffer.from(text)
  const count = Math.ceil(bytes.length / size)
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}
