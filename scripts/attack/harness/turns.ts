/** A message of an attack, independent of the protocol. */
export type Turn =
  | { readonly kind: 'user'; readonly texts: readonly string[]; readonly image?: string }
  | { readonly kind: 'assistant'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly input: object }
  | { readonly kind: 'result'; readonly id: string }

/** A request of an attack, independent of the protocol. */
export interface Asked {
  readonly turns: readonly Turn[]
  /** JSON Schemas of the client's tools. */
  readonly tools?: readonly object[]
}

/** Writes a request in one protocol. */
export interface Wire {
  readonly path: string
  readonly body: (asked: Asked) => object
}

const NAME = 'look'
const nameOf = (index: number) => `${NAME}_${index}`

function openaiContent(
  { texts, image }: Extract<Turn, { kind: 'user' }>,
  prefix: string,
): object[] {
  const imageUrl = prefix === '' ? { type: 'image_url', image_url: { url: image } } : undefined
  const parts: object[] = texts.map((text) => ({ type: `${prefix}text`, text }))
  if (image !== undefined) parts.push(imageUrl ?? { type: 'input_image', image_url: image })
  return parts
}

const CHAT: Wire = {
  path: '/v1/chat/completions',
  body: ({ turns, tools = [] }) => ({
    stream: true,
    messages: turns.map((turn) => {
      if (turn.kind === 'user') return { role: 'user', content: openaiContent(turn, '') }
      if (turn.kind === 'assistant') return { role: 'assistant', content: turn.text }
      if (turn.kind === 'result') return { role: 'tool', tool_call_id: turn.id, content: 'seen' }
      const called = { name: NAME, arguments: JSON.stringify(turn.input) }
      const call = { id: turn.id, type: 'function', function: called }
      return { role: 'assistant', content: null, tool_calls: [call] }
    }),
    ...(tools.length === 0 ? {} : { tools: tools.map(chatTool) }),
  }),
}

function chatTool(parameters: object, index: number): object {
  return { type: 'function', function: { name: nameOf(index), parameters } }
}

const RESPONSES: Wire = {
  path: '/v1/responses',
  body: ({ turns, tools = [] }) => ({
    stream: true,
    store: false,
    input: turns.map((turn) => {
      if (turn.kind === 'user') return { role: 'user', content: openaiContent(turn, 'input_') }
      if (turn.kind === 'assistant') return { role: 'assistant', content: turn.text }
      const call_id = turn.id
      if (turn.kind === 'result') return { type: 'function_call_output', call_id, output: 'seen' }
      const args = JSON.stringify(turn.input)
      return { type: 'function_call', call_id, name: NAME, arguments: args }
    }),
    ...(tools.length === 0 ? {} : { tools: tools.map(responsesTool) }),
  }),
}

function responsesTool(parameters: object, index: number): object {
  return { type: 'function', name: nameOf(index), parameters }
}

const MESSAGES: Wire = {
  path: '/v1/messages',
  body: ({ turns, tools = [] }) => ({
    stream: true,
    max_tokens: 1000,
    messages: turns.map((turn) => {
      if (turn.kind === 'user') return { role: 'user', content: blocksOf(turn) }
      if (turn.kind === 'assistant') return { role: 'assistant', content: turn.text }
      const result = { type: 'tool_result', tool_use_id: turn.id, content: 'seen' }
      if (turn.kind === 'result') return { role: 'user', content: [result] }
      const call = { type: 'tool_use', id: turn.id, name: NAME, input: turn.input }
      return { role: 'assistant', content: [call] }
    }),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((input_schema, index) => ({ name: nameOf(index), input_schema })) }),
  }),
}

function blocksOf({ texts, image }: Extract<Turn, { kind: 'user' }>): object[] {
  const blocks: object[] = texts.map((text) => ({ type: 'text', text }))
  if (image !== undefined) {
    const [, media_type, data] = /^data:([^;]+);base64,(.*)$/s.exec(image) ?? []
    blocks.push({ type: 'image', source: { type: 'base64', media_type, data } })
  }
  return blocks
}

let conversations = 0

/** The UI protocol. Its client sends only the new messages. */
export const UI: Wire = {
  path: '/api/chat',
  body: ({ turns }) => ({
    id: `attack-${process.pid}-${conversations++}`,
    trigger: 'submit-message',
    messages: turns.map((turn, index) => {
      const id = `m${index}`
      if (turn.kind === 'user') return { id, role: 'user', parts: uiParts(turn) }
      if (turn.kind === 'assistant') {
        return { id, role: 'assistant', parts: [{ type: 'text', text: turn.text }] }
      }
      const isCall = turn.kind === 'call'
      const state = isCall ? 'input-available' : 'output-available'
      const input = isCall ? turn.input : {}
      const part = { type: `tool-${NAME}`, toolCallId: turn.id, state, input, output: 'seen' }
      return { id, role: 'assistant', parts: [part] }
    }),
  }),
}

function uiParts({ texts, image }: Extract<Turn, { kind: 'user' }>): object[] {
  const parts: object[] = texts.map((text) => ({ type: 'text', text }))
  if (image !== undefined) parts.push({ type: 'file', mediaType: 'image/png', url: image })
  return parts
}

const AG_UI: Wire = {
  path: '/ag-ui',
  body: ({ turns, tools = [] }) => ({
    threadId: `attack-${process.pid}-${conversations++}`,
    runId: 'r',
    messages: turns.map((turn, index) => {
      const id = `m${index}`
      if (turn.kind === 'user') return { id, role: 'user', content: turn.texts.join('') }
      if (turn.kind === 'assistant') return { id, role: 'assistant', content: turn.text }
      if (turn.kind === 'result') return { id, role: 'tool', toolCallId: turn.id, content: 'seen' }
      const called = { name: NAME, arguments: JSON.stringify(turn.input) }
      return {
        id,
        role: 'assistant',
        toolCalls: [{ id: turn.id, type: 'function', function: called }],
      }
    }),
    tools: tools.map((parameters, index) => ({
      name: nameOf(index),
      description: '',
      parameters,
    })),
    context: [],
    state: {},
    forwardedProps: {},
  }),
}

export const WIRES: readonly Wire[] = [CHAT, RESPONSES, MESSAGES, UI, AG_UI]
