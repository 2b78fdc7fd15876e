import { times, toolsOf } from './histories.ts'

/** What grows in a body of a protocol. */
type Bodies = { readonly [name: string]: (size: number) => object }

const asText = (index: number) => `${index} is said`
const asArguments = (index: number) => JSON.stringify({ index })

const CHAT = {
  messages: (size) => chat(times(size, (index) => ({ role: 'user', content: asText(index) }))),
  'messages of both sides': (size) =>
    chat(
      times(size, (index) => ({
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: asText(index),
      })),
    ),
  parts: (size) =>
    chat([
      { role: 'user', content: times(size, (index) => ({ type: 'text', text: asText(index) })) },
    ]),
  'calls and results': (size) =>
    chat([
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: null, tool_calls: times(size, chatCall) },
      ...times(size, (index) => ({ role: 'tool', tool_call_id: `c${index}`, content: 'done' })),
    ]),
  tools: (size) => ({
    ...chat([{ role: 'user', content: 'Go' }]),
    tools: toolsOf(size).map(({ input_schema: parameters, ...rest }) => ({
      type: 'function',
      function: { ...rest, parameters },
    })),
  }),
} satisfies Bodies

function chat(messages: readonly object[]): object {
  return { model: 'm', messages }
}

function chatCall(index: number): object {
  return {
    id: `c${index}`,
    type: 'function',
    function: { name: 'run', arguments: asArguments(index) },
  }
}

const RESPONSES = {
  messages: (size) => responses(times(size, (index) => said('user', index))),
  'messages of an assistant': (size) => responses(times(size, (index) => said('assistant', index))),
  parts: (size) =>
    responses([
      {
        role: 'user',
        content: times(size, (index) => ({ type: 'input_text', text: asText(index) })),
      },
    ]),
  'calls and results': (size) =>
    responses([
      said('user', 0),
      ...times(size, (index) => ({
        type: 'function_call',
        call_id: `c${index}`,
        name: 'run',
        arguments: asArguments(index),
      })),
      ...times(size, (index) => ({
        type: 'function_call_output',
        call_id: `c${index}`,
        output: 'done',
      })),
    ]),
  'items of unknown types': (size) =>
    responses([said('user', 0), ...times(size, (index) => ({ type: `unknown_${index}` }))]),
  tools: (size) => ({
    ...responses([said('user', 0)]),
    tools: toolsOf(size).map(({ input_schema: parameters, ...rest }) => ({
      type: 'function',
      ...rest,
      parameters,
    })),
  }),
} satisfies Bodies

function responses(input: readonly object[]): object {
  return { model: 'm', input }
}

function said(role: string, index: number): object {
  return { role, content: asText(index) }
}

const ANTHROPIC = {
  messages: (size) => anthropic(times(size, (index) => said('user', index))),
  'messages of both sides': (size) =>
    anthropic(times(size, (index) => said(index % 2 === 0 ? 'user' : 'assistant', index))),
  parts: (size) =>
    anthropic([
      { role: 'user', content: times(size, (index) => ({ type: 'text', text: asText(index) })) },
    ]),
  'calls and results': (size) =>
    anthropic([
      said('user', 0),
      { role: 'assistant', content: times(size, toolUse) },
      {
        role: 'user',
        content: times(size, (index) => ({
          type: 'tool_result',
          tool_use_id: `c${index}`,
          content: 'done',
        })),
      },
    ]),
  'calls with one id': (size) =>
    anthropic([
      said('user', 0),
      { role: 'assistant', content: times(size, (index) => ({ ...toolUse(index), id: 'same' })) },
    ]),
  tools: (size) => ({ ...anthropic([said('user', 0)]), tools: toolsOf(size) }),
} satisfies Bodies

function anthropic(messages: readonly object[]): object {
  return { model: 'm', max_tokens: 100, messages }
}

function toolUse(index: number): object {
  return { type: 'tool_use', id: `c${index}`, name: 'run', input: { index } }
}

const UI = {
  messages: (size) => ({ messages: times(size, (index) => uiMessage('user', index)) }),
  'messages of both sides': (size) => ({
    messages: times(size, (index) => uiMessage(index % 2 === 0 ? 'user' : 'assistant', index)),
  }),
  parts: (size) => ({
    messages: [
      {
        id: 'm',
        role: 'user',
        parts: times(size, (index) => ({ type: 'text', text: asText(index) })),
      },
    ],
  }),
  'calls and results': (size) => ({
    messages: [
      uiMessage('user', 0),
      {
        id: 'm',
        role: 'assistant',
        parts: times(size, (index) => ({
          type: 'dynamic-tool',
          toolName: 'run',
          toolCallId: `c${index}`,
          state: 'output-available',
          input: { index },
          output: 'done',
        })),
      },
    ],
  }),
  'parts of unknown types': (size) => ({
    messages: [
      {
        id: 'm',
        role: 'user',
        parts: [
          { type: 'text', text: 'Go' },
          ...times(size, (index) => ({ type: `unknown-${index}` })),
        ],
      },
    ],
  }),
  tools: (size) => ({
    messages: [uiMessage('user', 0)],
    tools: Object.fromEntries(
      toolsOf(size).map(({ name, description, input_schema }) => [
        name,
        { description, parameters: input_schema },
      ]),
    ),
  }),
} satisfies Bodies

function uiMessage(role: string, index: number): object {
  return { id: `m${index}`, role, parts: [{ type: 'text', text: asText(index) }] }
}

const AG_UI = {
  messages: (size) => agUi(times(size, (index) => agUiMessage('user', index))),
  'messages of an assistant': (size) =>
    agUi([
      agUiMessage('user', -1),
      ...times(size, (index) => agUiMessage('assistant', index)),
      agUiMessage('user', -2),
    ]),
  parts: (size) =>
    agUi([
      {
        id: 'm',
        role: 'user',
        content: times(size, (index) => ({ type: 'text', text: asText(index) })),
      },
    ]),
  'calls and results': (size) =>
    agUi([
      agUiMessage('user', 0),
      { id: 'a', role: 'assistant', toolCalls: times(size, chatCall) },
      ...times(size, (index) => ({
        id: `r${index}`,
        role: 'tool',
        toolCallId: `c${index}`,
        content: 'done',
      })),
    ]),
  context: (size) => ({
    ...agUi([agUiMessage('user', 0)]),
    context: times(size, (index) => ({ description: 'said', value: asText(index) })),
  }),
  tools: (size) => ({
    ...agUi([agUiMessage('user', 0)]),
    tools: toolsOf(size).map(({ input_schema: parameters, ...rest }) => ({ ...rest, parameters })),
  }),
} satisfies Bodies

function agUi(messages: readonly object[]): object {
  return { threadId: 't', runId: 'r', messages, tools: [], context: [] }
}

function agUiMessage(role: string, index: number): object {
  return { id: `m${index}`, role, content: asText(index) }
}

/** Bodies of the protocols by what grows in them. */
export const BODIES = {
  'chat-completions': CHAT,
  responses: RESPONSES,
  'anthropic-messages': ANTHROPIC,
  'ui-message-stream': UI,
  'ag-ui': AG_UI,
} as const satisfies { readonly [protocol: string]: Bodies }
