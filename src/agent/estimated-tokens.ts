import { ownTurn } from '@braidwork/core/internal'
import type { Message, Part } from '@braidwork/plugin'

/**
 * The approximate number of UTF-8 bytes per token. Non-ASCII text has fewer characters per token, but more bytes
 * per character.
 */
const BYTES = 4
/** The tokens of a message besides its parts. */
const FRAME = 4
/** The tokens of an image, and of a file whose data is not available. */
const IMAGE = 1500
/** The bytes per token of any other file. Most of these are not plain text. */
const FILE_BYTES = 20

/**
 * Estimates the number of tokens in a text. A tokenizer would be too slow, since every run is counted, whatever its
 * size.
 */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES)
}

/** The number of messages counted in one turn of the event loop. */
const PIECE = 1000

/** Counts like {@link tokensIn}, and yields to the event loop between batches of messages. */
export async function tokensInAll(messages: readonly Message[]): Promise<number> {
  let sum = 0
  for (let at = 0; at < messages.length; at += PIECE) {
    if (at > 0) await ownTurn()
    sum += tokensIn(messages.slice(at, at + PIECE))
  }
  return sum
}

/** Estimates the number of tokens in messages: texts, reasoning, calls, results and files. */
export function tokensIn(messages: readonly Message[]): number {
  let sum = 0
  for (const { parts } of messages) {
    sum += FRAME
    for (const part of parts) sum += tokensInPart(part)
  }
  return sum
}

function tokensInPart(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return tokensOf(part.text)
    case 'tool-call':
      return tokensOf(part.name) + tokensInValue(part.input)
    case 'tool-result':
      return tokensInValue(part.output)
    case 'file':
      return tokensInFile(part.mediaType, part.data)
    default:
      return 0
  }
}

function tokensInValue(value: unknown): number {
  return tokensOf(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
}

/** `data` is encoded as base64. */
function tokensInFile(mediaType: string, data: string | undefined): number {
  if (data === undefined || mediaType.startsWith('image/')) return IMAGE
  const bytes = (data.length * 3) / 4
  return Math.ceil(bytes / (mediaType.startsWith('text/') ? BYTES : FILE_BYTES))
}
