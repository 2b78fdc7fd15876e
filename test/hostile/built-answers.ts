import type { Api } from '../../scripts/replay/content.ts'
import { streamText } from '../../scripts/replay/envelope.ts'
import type { Place } from '../../scripts/replay/place.ts'

/** An answer of one text and one call. */
export interface Told {
  readonly text: string
  readonly id: string
  readonly name: string
  /** The call's arguments as text. */
  readonly args: string
  /** Which place the call says it has. */
  readonly index?: unknown
}

/** Each provider, and each API of one. */
export const PLACES: readonly Place[] = [
  { provider: 'openai', api: 'chat' },
  { provider: 'openai', api: 'responses' },
  { provider: 'openai-compatible', api: 'chat' },
  { provider: 'openai-compatible', api: 'chat', preset: 'mistral' },
  { provider: 'anthropic', api: 'messages' },
]

/** The answer as a stream of its API. */
export function toldAsStream(api: Api, told: Told): string {
  return streamText(
    api,
    EVENTS[api](told).map((event) => JSON.stringify(event)),
  )
}

const EVENTS: { readonly [A in Api]: (told: Told) => readonly object[] } = {
  chat: ({ text, id, name, args, index = 0 }) => {
    const choice = (delta: object, finish_reason: string | null = null) => ({
      id: 'c1',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason }],
    })
    const half = Math.floor(args.length / 2)
    const call = (more: object) => ({ tool_calls: [{ index, ...more }] })
    return [
      choice({ role: 'assistant', content: text }),
      choice(call({ id, type: 'function', function: { name, arguments: args.slice(0, half) } })),
      choice(call({ function: { arguments: args.slice(half) } })),
      choice({}, 'tool_calls'),
    ]
  },
  responses: ({ text, id, name, args, index = 1 }) => {
    const content = [{ type: 'output_text', text, annotations: [] }]
    const message = { type: 'message', id: 'm1', role: 'assistant', status: 'completed', content }
    const call = { type: 'function_call', id: 'f1', call_id: id, name, arguments: args }
    const output = [message, call]
    return [
      { type: 'response.created', response: { id: 'r1', object: 'response', tools: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { ...message, content: [] } },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: text },
      { type: 'response.output_item.done', output_index: 0, item: message },
      { type: 'response.output_item.added', output_index: index, item: { ...call, arguments: '' } },
      { type: 'response.function_call_arguments.delta', output_index: index, delta: args },
      { type: 'response.output_item.done', output_index: index, item: call },
      {
        type: 'response.completed',
        response: { id: 'r1', object: 'response', status: 'completed', tools: [], output },
      },
    ]
  },
  messages: ({ text, id, name, args, index = 1 }) => {
    const message = { id: 'm1', type: 'message', role: 'assistant', model: 'm', content: [] }
    const half = Math.floor(args.length / 2)
    const delta = (partial_json: string) => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json },
    })
    return [
      { type: 'message_start', message: { ...message, usage: { input_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id, name, input: {} },
      },
      delta(args.slice(0, half)),
      delta(args.slice(half)),
      { type: 'content_block_stop', index },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } },
      { type: 'message_stop' },
    ]
  },
}
