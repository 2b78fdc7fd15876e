import type { NativeMessage, ToolCallContent, ToolResultContent } from './native.ts'

/** The transcript since the last user message. */
export interface Turn {
  /** The text of the last user message. */
  readonly user: string
  /** The beginning of that text, in which requests are searched for. */
  readonly asked: string
  /** 1 for the first answer to the user message. */
  readonly step: number
  readonly calls: readonly ToolCallContent[]
  readonly results: readonly ToolResultContent[]
  /** The tool whose result is the last message in the transcript. */
  readonly lastTool?: string
}

/** Only the first characters of a message are searched for a request; a file pasted after it is not. */
const LONGEST_REQUEST = 10_000

export function readTurn(messages: readonly NativeMessage[]): Turn {
  const at = messages.findLastIndex((message) => message.role === 'user')
  const since = messages.slice(at + 1)
  const contents = since.flatMap((message) => message.content)
  const last = messages.at(-1)?.content.at(-1)
  const user = at < 0 ? '' : textOf(messages[at])
  return {
    user,
    asked: user.slice(0, LONGEST_REQUEST),
    step: since.filter((message) => message.role === 'assistant').length + 1,
    calls: contents.filter((content) => content.type === 'tool_call'),
    results: contents.filter((content) => content.type === 'tool_result'),
    ...(last?.type === 'tool_result' ? { lastTool: last.name } : {}),
  }
}

/** The text of a message: its text pieces, joined without separators. */
export function textOf(message: NativeMessage | undefined): string {
  const texts =
    message?.content.map((content) => (content.type === 'text' ? content.text : '')) ?? []
  return texts.join('')
}

/** The parsed JSON, or the text itself if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
