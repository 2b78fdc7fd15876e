import { type Message, type ModelTool, textOf } from '@braidwork/plugin'

/** The body of a request, which is the native format of this provider. */
export interface ChatRequest {
  readonly model: string
  readonly stream: true
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly object[]
}

interface ChatMessage {
  readonly role: Message['role']
  readonly content: string
  readonly tool_calls?: readonly object[]
  readonly tool_call_id?: string
}

export function requestOf(
  messages: readonly Message[],
  model: string,
  tools: readonly ModelTool[],
): ChatRequest {
  const request = { model, stream: true, messages: messages.flatMap(toChat) } as const
  return tools.length === 0 ? request : { ...request, tools: tools.map(toFunction) }
}

/** The results of tools are messages of their own in this API. */
function toChat(message: Message): readonly ChatMessage[] {
  const { role, parts } = message
  if (role === 'tool') {
    return parts.flatMap((part) =>
      part.type === 'tool-result'
        ? [{ role, content: written(part.output), tool_call_id: part.callId }]
        : [],
    )
  }
  const calls = parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [
          {
            id: part.callId,
            type: 'function',
            function: { name: part.name, arguments: written(part.input) },
          },
        ]
      : [],
  )
  const content = textOf(message)
  return [calls.length === 0 ? { role, content } : { role, content, tool_calls: calls }]
}

function toFunction({ name, description, input_schema: parameters }: ModelTool): object {
  return { type: 'function', function: { name, description, parameters } }
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
