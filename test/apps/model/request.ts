import { isObject, type JsonObject } from '../../../src/plugin/index.ts'

/** A part of a message of the Chat Completions API, as far as the model reads it. */
export interface Part {
  readonly type: string
  readonly text?: string
  readonly image_url?: { readonly url: string }
}

export interface Message {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  readonly content?: string | readonly Part[] | null
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly tool_call_id?: string
}

export interface OfferedTool {
  readonly name: string
  readonly parameters: JsonObject
}

/** A request of the Chat Completions API, as far as the model reads it. */
export interface ChatRequest {
  readonly model: string
  readonly stream?: boolean
  readonly messages: readonly Message[]
  readonly tools?: readonly { readonly function: OfferedTool }[]
  readonly tool_choice?: string | { readonly function: { readonly name: string } }
  readonly response_format?: {
    readonly type: string
    readonly json_schema?: { readonly schema?: JsonObject }
  }
}

/** The messages since the last one of the user, which is the first of them. */
export interface Turn {
  readonly asked: string
  /** Of the last message that has some. */
  readonly images: readonly string[]
  readonly hasImages: boolean
  /** The texts of the user's earlier messages. */
  readonly earlier: readonly string[]
  readonly results: readonly { readonly tool: string; readonly text: string }[]
}

export function turnOf(messages: readonly Message[]): Turn {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const names = new Map(
    messages.flatMap(({ tool_calls = [] }) =>
      tool_calls.map(({ id, function: { name } }) => [id, name] as const),
    ),
  )
  const last = messages[at]
  return {
    asked: last ? textOf(last) : '',
    images: messages.map(imagesOf).findLast(({ length }) => length > 0) ?? [],
    hasImages: last !== undefined && imagesOf(last).length > 0,
    earlier: messages
      .slice(0, Math.max(at, 0))
      .filter(({ role }) => role === 'user')
      .map(textOf),
    results: messages
      .slice(at + 1)
      .filter(({ role }) => role === 'tool')
      .map((message) => ({
        tool: names.get(message.tool_call_id ?? '') ?? 'unknown',
        text: textOf(message),
      })),
  }
}

/** @throws TypeError if the body is not a request */
export function readRequest(body: string): ChatRequest {
  const value: unknown = JSON.parse(body)
  if (isObject(value) && Array.isArray(value['messages'])) return value as unknown as ChatRequest
  throw new TypeError('The body of the request has no messages.')
}

function textOf({ content }: Message): string {
  if (typeof content === 'string') return content
  return (content ?? [])
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text ?? '')
    .join('\n')
}

function imagesOf({ content }: Message): readonly string[] {
  if (typeof content === 'string') return []
  return (content ?? []).flatMap(({ image_url }) => (image_url ? [image_url.url] : []))
}
