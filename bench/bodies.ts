/** The formats in which model APIs stream. */
export const FORMATS = ['chat', 'responses', 'messages'] as const
export type Format = (typeof FORMATS)[number]

/** Where each format is asked for. */
export const PATHS: { readonly [F in Format]: string } = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
}

/** The format that a request asks for; clients add parameters to the path. */
export function formatOf(url: string): Format {
  const [path = ''] = url.split('?')
  return FORMATS.find((format) => path.endsWith(PATHS[format].slice('/v1'.length))) ?? 'chat'
}

const word = (index: number): string => `word${index} `

/** An answer of so many text deltas, in the events of a format, each as it is sent. */
export function eventsOf(format: Format, count: number): readonly string[] {
  return BODIES[format](count)
}

const BODIES: { readonly [F in Format]: (count: number) => readonly string[] } = {
  chat: chatEvents,
  responses: responsesEvents,
  messages: messagesEvents,
}

const list = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index))

function chatEvents(count: number): readonly string[] {
  const chunk = (choice: object, more: object = {}) =>
    `data: ${JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'gpt-4.1-2025-04-14',
      service_tier: 'default',
      system_fingerprint: 'fp_1',
      choices: [{ index: 0, logprobs: null, finish_reason: null, ...choice }],
      ...more,
    })}\n\n`
  const usage = { prompt_tokens: 9, completion_tokens: count, total_tokens: count + 9 }
  return [
    chunk({ delta: { role: 'assistant', content: '', refusal: null } }),
    ...list(count, (index) => chunk({ delta: { content: word(index) } })),
    chunk({ delta: {}, finish_reason: 'stop' }),
    chunk({ delta: {} }, { choices: [], usage }),
    'data: [DONE]\n\n',
  ]
}

const named = (event: { readonly type: string }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

function responsesEvents(count: number): readonly string[] {
  const head = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model: 'gpt-4.1' }
  const started = {
    ...head,
    status: 'in_progress',
    output: [],
    tools: [],
    error: null,
    usage: null,
  }
  const place = { output_index: 0, content_index: 0, item_id: 'msg_1' }
  const text = list(count, word).join('')
  const part = { type: 'output_text', text, annotations: [], logprobs: [] }
  const item = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [part],
  }
  const usage = {
    input_tokens: 9,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: count,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: count + 9,
  }
  const events = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    ...list(count, (index) => ({
      type: 'response.output_text.delta',
      ...place,
      delta: word(index),
      logprobs: [],
      obfuscation: 'aB3dE6gH',
    })),
    { type: 'response.output_text.done', ...place, text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
    { type: 'response.output_item.done', output_index: 0, item },
    {
      type: 'response.completed',
      response: { ...started, status: 'completed', output: [item], usage },
    },
  ]
  return events.map((event, index) => named(Object.assign(event, { sequence_number: index })))
}

function messagesEvents(count: number): readonly string[] {
  const usage = { input_tokens: 9, output_tokens: 1 }
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-haiku-4-5',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  }
  const events = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'ping' },
    ...list(count, (index) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: word(index) },
    })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: count },
    },
    { type: 'message_stop' },
  ]
  return events.map(named)
}
