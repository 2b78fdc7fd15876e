/** The APIs whose recorded answers are replayed: chat completions, responses, and Anthropic's messages. */
export type Api = 'chat' | 'responses' | 'messages'

/** The API that JSON comes from; `error` for an error of any API, `other` for another API. */
export type Content = Api | 'error' | 'other' | 'unknown'

type JsonObject = { readonly [key: string]: unknown }

const MESSAGES = /^(message_(start|delta|stop)|content_block_(start|delta|stop))$/

/** The API that an answer or a stream event belongs to. */
export function contentOf(value: unknown): Content {
  if (!isObject(value) || Object.keys(value).length === 0) return 'unknown'
  const { type, object, choices, output, content } = value
  if (typeof type === 'string' && type.startsWith('response.')) return 'responses'
  if (typeof type === 'string' && MESSAGES.test(type)) return 'messages'
  if (type === 'message' && Array.isArray(content)) return 'messages'
  if (Array.isArray(choices)) return isCompletion(object, choices) ? 'other' : 'chat'
  if (object === 'response' || Array.isArray(output)) return 'responses'
  if (type === 'ping') return 'unknown'
  return isError(value) ? 'error' : 'other'
}

/** The API that the events of a stream belong to. */
export function contentOfAll(events: readonly string[]): Content {
  const contents = new Set(events.map((event) => contentOf(parsed(event))))
  const order = ['messages', 'responses', 'chat', 'error', 'other'] as const
  return order.find((content) => contents.has(content)) ?? 'unknown'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether choices are from the legacy completions API, which has texts instead of messages. */
function isCompletion(object: unknown, choices: readonly unknown[]): boolean {
  const [first] = choices
  return object === 'text_completion' || (isObject(first) && typeof first['text'] === 'string')
}

function isError({ error, object, message, detail }: JsonObject): boolean {
  return Boolean(error) || object === 'error' || typeof message === 'string' || Boolean(detail)
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
