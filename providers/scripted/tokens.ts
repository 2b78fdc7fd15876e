import type { Content, NativeMessage, NativeTool } from './native.ts'

/** Matches a token: up to 16 characters of a word with the white space before it, or trailing white space. */
const TOKEN = /\s+(?:\S{1,16})?|\S{1,16}/gu

/**
 * Splits a text into tokens: its words, each with the white space before it; long words are split. The joined tokens
 * are the text. Usage, limits and chunks are counted in tokens.
 */
export function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? []
}

/** Splits a text into pieces of these sizes, used in rotation. */
export function piecesOf(text: string, sizes: readonly number[]): string[] {
  const characters = Array.from(text)
  const pieces: string[] = []
  for (let at = 0, turn = 0; at < characters.length; turn++) {
    const size = sizes[turn % sizes.length] ?? characters.length
    pieces.push(characters.slice(at, at + size).join(''))
    at += size
  }
  return pieces
}

/** At most this many characters are counted; for a longer text or request the count is extrapolated. */
const MOST_COUNTED = { text: 100_000, request: 1_000_000 } as const

function countTokens(text: string): number {
  const { text: most } = MOST_COUNTED
  if (text.length <= most) return tokensOf(text).length
  return Math.ceil((tokensOf(text.slice(0, most)).length * text.length) / most)
}

/** The number of tokens in a request. */
export function countInput(
  messages: readonly NativeMessage[],
  tools: readonly NativeTool[],
): number {
  let counted = 0
  let tokens = 0
  let rest = 0
  const add = (text: string): void => {
    if (counted > MOST_COUNTED.request) {
      rest += text.length
      return
    }
    counted += text.length
    tokens += countTokens(text)
  }
  for (const { content } of messages) for (const part of content) add(textIn(part))
  for (const tool of tools) add(JSON.stringify(tool))
  return rest === 0 ? tokens : Math.ceil((tokens * (counted + rest)) / counted)
}

/** The number of tokens in a piece of content; 1 if it is not text. */
export function countContent(content: Content): number {
  return countTokens(textIn(content))
}

/** The text that is counted for a piece of content; a single word if it is not text. */
function textIn(content: Content): string {
  switch (content.type) {
    case 'text':
    case 'reasoning':
      return content.text
    case 'tool_call':
      return content.arguments
    case 'tool_result':
      return asText(content.output)
    default:
      return content.type
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
