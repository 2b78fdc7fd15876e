import type { Content, NativeMessage, NativeTool } from './native.ts'

/** A word with the space before it, at most 16 characters of it; or space at the end. */
const TOKEN = /\s+(?:\S{1,16})?|\S{1,16}/gu

/**
 * The tokens of a text: its words, each with the space before it, and long words in pieces. Joined they
 * are the text. Usage, limits and chunks all count in them.
 */
export function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? []
}

/** A text in pieces of these sizes, over and over. */
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

/** Characters that are counted of a text, and of a request; a longer one has as many tokens in proportion. */
const MOST_COUNTED = { text: 100_000, request: 1_000_000 } as const

function countTokens(text: string): number {
  const { text: most } = MOST_COUNTED
  if (text.length <= most) return tokensOf(text).length
  return Math.ceil((tokensOf(text.slice(0, most)).length * text.length) / most)
}

/** Tokens that a request comes to. */
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

/** Tokens of a piece of a message; what is no text is one. */
export function countContent(content: Content): number {
  return countTokens(textIn(content))
}

/** What is counted of a piece of a message; a word stands for what is no text. */
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
