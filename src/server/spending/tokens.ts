import { ownTurn } from '@braidwork/core/internal'
import type { Message, Part } from '@braidwork/plugin'

/** Bytes of UTF-8 that are a token, about; of letters beyond ASCII a token has fewer, and each has more bytes. */
const BYTES = 4
/** Tokens of a message beside its parts. */
const FRAME = 4
/** Tokens of an image, and of a file that is not here to be looked at. */
const IMAGE = 1500
/** Bytes of any other file that are a token: most of them are no text. */
const FILE_BYTES = 20

/** About how many tokens a text is. No tokenizer: it is counted for every run, whatever its size. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES)
}

/** Messages that are counted in one turn of the event loop. */
const PIECE = 1000

/** {@link tokensIn} of any number of messages, with time for others in between. */
export async function tokensInAll(messages: readonly Message[]): Promise<number> {
  let sum = 0
  for (let at = 0; at < messages.length; at += PIECE) {
    if (at > 0) await ownTurn()
    sum += tokensIn(messages.slice(at, at + PIECE))
  }
  return sum
}

/** About how many tokens messages are: texts, reasoning, calls, results and files. */
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

/** Of `data` in base64. */
function tokensInFile(mediaType: string, data: string | undefined): number {
  if (data === undefined || mediaType.startsWith('image/')) return IMAGE
  const bytes = (data.length * 3) / 4
  return Math.ceil(bytes / (mediaType.startsWith('text/') ? BYTES : FILE_BYTES))
}
