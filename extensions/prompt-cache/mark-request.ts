import { isObject, type JsonObject } from '@braidwork/plugin'
/** A cache breakpoint in the format of the messages API. */
export interface Mark {
  readonly type: 'ephemeral'
  readonly ttl?: '1h'
}

/** Types of blocks that the API accepts a mark on. Thinking, empty text and unknown types are excluded. */
const MARKABLE = new Set<unknown>([
  'text',
  'image',
  'document',
  'search_result',
  'tool_use',
  'tool_result',
])
const KEY = 'cache_control'

/**
 * Adds cache breakpoints to a request of the messages API: after the tools, after the system prompt, after the last
 * turn, and after the user turn before it, with which the previous request ended. A request that already has
 * breakpoints is returned unchanged.
 */
export function markRequest(native: JsonObject, mark: Mark): JsonObject {
  if (hasMark(native)) return native
  const { tools, system, messages } = native
  return {
    ...native,
    ...(Array.isArray(tools) ? { tools: markLast(tools, isPlainTool, mark) } : {}),
    ...(system === undefined ? {} : { system: markContent(system, mark) }),
    ...(Array.isArray(messages) ? { messages: markMessages(messages, mark) } : {}),
  }
}

/** Whether the request already has a mark, at its top or in any part. */
function hasMark({ tools, system, messages, ...request }: JsonObject): boolean {
  const contents = objectsIn(messages).flatMap(({ content }) => objectsIn(content))
  const marked = [request, ...objectsIn(tools), ...objectsIn(system), ...contents]
  return marked.some((value) => value[KEY] !== undefined)
}

function markMessages(messages: readonly unknown[], mark: Mark): readonly unknown[] {
  const last = messages.findLastIndex(isMarkableMessage)
  const before = messages.findLastIndex(
    (message, at) => at < last && isMarkableMessage(message) && message['role'] === 'user',
  )
  return messages.map((message, at) => {
    if (!isObject(message) || (at !== last && at !== before)) return message
    return { ...message, content: markContent(message['content'], mark) }
  })
}

/** Marks the last markable block of a text or a list of blocks. */
function markContent(content: unknown, mark: Mark): unknown {
  if (typeof content === 'string' && content !== '') {
    return [{ type: 'text', text: content, [KEY]: mark }]
  }
  return Array.isArray(content) ? markLast(content, isMarkable, mark) : content
}

function markLast(
  list: readonly unknown[],
  fits: (value: unknown) => boolean,
  mark: Mark,
): readonly unknown[] {
  const last = list.findLastIndex(fits)
  return list.map((value, at) =>
    at === last && isObject(value) ? { ...value, [KEY]: mark } : value,
  )
}

/** Whether a tool can be marked. Tools that are loaded later (deferred) cannot. */
function isPlainTool(tool: unknown): boolean {
  return isObject(tool) && isObject(tool['input_schema']) && tool['defer_loading'] !== true
}

function isMarkableMessage(message: unknown): message is JsonObject {
  if (!isObject(message)) return false
  const { content } = message
  return typeof content === 'string' ? content !== '' : objectsIn(content).some(isMarkable)
}

function isMarkable(block: unknown): boolean {
  if (!isObject(block) || !MARKABLE.has(block['type'])) return false
  return block['type'] !== 'text' || block['text'] !== ''
}

function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}
