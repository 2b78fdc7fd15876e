import type { Api } from '../../../scripts/replay/content.ts'
import { streamText } from '../../../scripts/replay/envelope.ts'
import type { Reply } from '../../../scripts/replay/replay-server.ts'
import { jsonReply, streamReply } from '../../../scripts/replay/replies.ts'

/** An answer of one text, as an API sends it at once or as a stream. */
export function replyWith(api: Api, text: string, isStream: boolean): Reply {
  const { whole, events } = ANSWERS[api](text)
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

const ANSWERS: { readonly [A in Api]: (text: string) => ApiAnswer } = {
  chat: (content) => {
    const choice = (more: object) => ({ id: 'c1', choices: [{ index: 0, ...more }] })
    return {
      whole: choice({ message: { role: 'assistant', content }, finish_reason: 'stop' }),
      events: [
        choice({ delta: { role: 'assistant', content }, finish_reason: null }),
        choice({ delta: {}, finish_reason: 'stop' }),
      ],
    }
  },
  responses: (text) => {
    const content = [{ type: 'output_text', text, annotations: [] }]
    const item = { type: 'message', id: 'm1', role: 'assistant', status: 'completed', content }
    const about = { id: 'r1', object: 'response', tools: [] }
    const response = { ...about, status: 'completed', output: [item] }
    const place = { output_index: 0 }
    return {
      whole: response,
      events: [
        { type: 'response.created', response: about },
        { type: 'response.output_item.added', ...place, item: { ...item, content: [] } },
        { type: 'response.output_text.delta', ...place, content_index: 0, delta: text },
        { type: 'response.output_item.done', ...place, item },
        { type: 'response.completed', response },
      ],
    }
  },
  messages: (text) => {
    const message = { id: 'm1', type: 'message', role: 'assistant', model: 'm' }
    const usage = { input_tokens: 1, output_tokens: 2 }
    const content = [{ type: 'text', text }]
    return {
      whole: { ...message, content, stop_reason: 'end_turn', usage },
      events: [
        { type: 'message_start', message: { ...message, content: [], usage } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
        { type: 'message_stop' },
      ],
    }
  },
}
