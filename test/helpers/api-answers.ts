import type { Api } from '../../scripts/replay/content.ts'
import { streamText } from '../../scripts/replay/envelope.ts'
import type { Reply } from '../../scripts/replay/replay-server.ts'
import { jsonReply, streamReply } from '../../scripts/replay/replies.ts'

/** What an answer says, and the calls behind it. */
export interface Said {
  readonly text: string
  readonly calls?: readonly SaidCall[]
}

interface SaidCall {
  readonly id: string
  readonly name: string
  readonly input: object
}

/** An answer as an API sends it, at once or as a stream. */
export function replyWith(api: Api, said: Said | string, isStream: boolean): Reply {
  const { text, calls = [] } = typeof said === 'string' ? { text: said } : said
  const { whole, events } = ANSWERS[api](text, calls)
  if (!isStream) return jsonReply(whole)
  return streamReply(
    streamText(
      api,
      events.map((event) => JSON.stringify(event)),
    ),
  )
}

interface ApiAnswer {
  readonly whole: object
  readonly events: readonly object[]
}

type Answering = (text: string, calls: readonly SaidCall[]) => ApiAnswer

const ANSWERS: { readonly [A in Api]: Answering } = {
  chat: (content, calls) => {
    const choice = (more: object) => ({ id: 'c1', model: 'm', choices: [{ index: 0, ...more }] })
    const told = calls.map(({ id, name, input }, index) => {
      const called = { name, arguments: JSON.stringify(input) }
      return { index, id, type: 'function', function: called }
    })
    const ended = { finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }
    const tool_calls = told.map(({ index: _, ...call }) => call)
    const message = { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls } : {}) }
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
    return {
      whole: { ...choice({ message, ...ended }), usage },
      events: [
        choice({ delta: { role: 'assistant', content }, finish_reason: null }),
        ...told.map((call) => choice({ delta: { tool_calls: [call] }, finish_reason: null })),
        choice({ delta: {}, ...ended }),
        { id: 'c1', choices: [], usage },
      ],
    }
  },
  responses: (text, calls) => {
    const content = [{ type: 'output_text', text, annotations: [] }]
    const item = { type: 'message', id: 'm1', role: 'assistant', status: 'completed', content }
    const items = calls.map(({ id, name, input }, at) => {
      const call = { type: 'function_call', id: `f${at}`, call_id: id, name }
      return { ...call, arguments: JSON.stringify(input), status: 'completed' }
    })
    const about = { id: 'r1', object: 'response', model: 'm', tools: [] }
    const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 }
    const response = { ...about, status: 'completed', output: [item, ...items], usage }
    const place = { output_index: 0 }
    return {
      whole: response,
      events: [
        { type: 'response.created', response: about },
        { type: 'response.output_item.added', ...place, item: { ...item, content: [] } },
        { type: 'response.output_text.delta', ...place, content_index: 0, delta: text },
        { type: 'response.output_item.done', ...place, item },
        ...items.flatMap((call, at) => {
          const where = { output_index: at + 1 }
          return [
            { type: 'response.output_item.added', ...where, item: { ...call, arguments: '' } },
            {
              type: 'response.function_call_arguments.delta',
              ...where,
              delta: call.arguments,
            },
            { type: 'response.output_item.done', ...where, item: call },
          ]
        }),
        { type: 'response.completed', response },
      ],
    }
  },
  messages: (text, calls) => {
    const message = { id: 'm1', type: 'message', role: 'assistant', model: 'm' }
    const usage = { input_tokens: 1, output_tokens: 2 }
    const blocks = calls.map((call) => ({ type: 'tool_use', ...call }))
    const content = [{ type: 'text', text }, ...blocks]
    const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn'
    return {
      whole: { ...message, content, stop_reason, usage },
      events: [
        { type: 'message_start', message: { ...message, content: [], usage } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
        { type: 'content_block_stop', index: 0 },
        ...blocks.flatMap(({ input, ...block }, at) => {
          const partial_json = JSON.stringify(input)
          const delta = { type: 'input_json_delta', partial_json }
          return [
            {
              type: 'content_block_start',
              index: at + 1,
              content_block: { ...block, input: {} },
            },
            { type: 'content_block_delta', index: at + 1, delta },
            { type: 'content_block_stop', index: at + 1 },
          ]
        }),
        { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 2 } },
        { type: 'message_stop' },
      ],
    }
  },
}
