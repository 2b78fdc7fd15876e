/** The stream format of a model API, reduced to what the attacks need. All texts are sent unchanged. */
export interface ApiForm {
  readonly begin: string
  readonly end: string
  text(delta: string): string
  /** An event without content. */
  readonly empty: string
  /** A complete tool call with the given index. */
  call(index: number): string
}

/** The format for a request path. */
export function formOf(path: string): ApiForm {
  if (path.endsWith('/responses')) return RESPONSES
  return path.includes('/messages') ? MESSAGES : CHAT
}

const data = (event: object) => `data: ${JSON.stringify(event)}\n\n`
const named = (type: string, event: object = {}) => `event: ${type}\n${data({ type, ...event })}`

function choice(delta: object, finish_reason: string | null = null): string {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
  return data({ ...chunk, choices: [{ index: 0, delta, finish_reason }] })
}

const CHAT: ApiForm = {
  begin: choice({ role: 'assistant', content: '' }),
  end: `${choice({}, 'stop')}data: [DONE]\n\n`,
  text: (content) => choice({ content }),
  empty: choice({}),
  call: (index) => {
    const called = { name: 'nothing', arguments: '{}' }
    return choice({ tool_calls: [{ index, id: `c${index}`, type: 'function', function: called }] })
  },
}

const USAGE = { input_tokens: 1, output_tokens: 1 }
const ITEM = { type: 'message', id: 'm1', role: 'assistant', status: 'in_progress', content: [] }
const OUTPUT = { output_index: 0, content_index: 0, item_id: 'm1' }

const RESPONSES: ApiForm = {
  begin: [
    named('response.created', { response: { id: 'r', object: 'response' } }),
    named('response.output_item.added', { output_index: 0, item: ITEM }),
  ].join(''),
  end: named('response.completed', {
    response: { id: 'r', object: 'response', status: 'completed', usage: USAGE },
  }),
  text: (delta) => named('response.output_text.delta', { ...OUTPUT, delta }),
  empty: named('response.in_progress', { response: { id: 'r' } }),
  call: (index) => {
    const call = { type: 'function_call', id: `f${index}`, call_id: `c${index}`, name: 'nothing' }
    const item = { ...call, arguments: '{}', status: 'completed' }
    const at = { output_index: index + 1 }
    return [
      named('response.output_item.added', { ...at, item: { ...item, arguments: '' } }),
      named('response.output_item.done', { ...at, item }),
    ].join('')
  },
}

const MESSAGE = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [] }
const BLOCK = { index: 0, content_block: { type: 'text', text: '' } }

const MESSAGES: ApiForm = {
  begin: [
    named('message_start', { message: { ...MESSAGE, usage: USAGE } }),
    named('content_block_start', BLOCK),
  ].join(''),
  end: [
    named('content_block_stop', { index: 0 }),
    named('message_delta', { delta: { stop_reason: 'end_turn' }, usage: USAGE }),
    named('message_stop'),
  ].join(''),
  text: (text) => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  empty: named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: '' } }),
  call: (at) => {
    const index = at + 1
    const content_block = { type: 'tool_use', id: `c${at}`, name: 'nothing', input: {} }
    return [
      named('content_block_start', { index, content_block }),
      named('content_block_stop', { index }),
    ].join('')
  },
}
