import type { Content, NativeMessage, NativeTool } from './native.ts'

/** A word with the space before it, at most 16 characters of it; or space at the end. */
const TOKEN = /\s*\S{1,16}|\s+/gu

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

function countTokens(text: string): number {
  return tokensOf(text).length
}

/** Tokens that a request comes to. */
export function countInput(
  messages: readonly NativeMessage[],
  tools: readonly NativeTool[],
): number {
  const contents = messages.flatMap((message) => message.content)
  const sent = contents.reduce((sum, content) => sum + countContent(content), 0)
  return tools.reduce((sum, tool) => sum + countTokens(JSON.stringify(tool)), sent)
}

/** Tokens of a piece of a message; what is no text is one. */
export function countContent(content: Content): number {
  switch (content.type) {
    case 'text':
    case 'reasoning':
      return countTokens(content.text)
    case 'tool_call':
      return countTokens(content.arguments)
    case 'tool_result':
      return countTokens(asText(content.output))
    default:
      return 1
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
