/** How one client asks for an answer, and where the pieces of its text stand. */
export interface LoadProtocol {
  readonly name: string
  readonly path: string
  /** The body of a request; `id` is the conversation's, where the server keeps one. */
  body(id: string): object
  /** The piece of text in a frame. */
  delta(frame: Frame): string | undefined
  readonly keepsConversation: boolean
}

/** What frames of all protocols have in them, as far as texts go. */
interface Frame {
  readonly type?: string
  readonly delta?: string | { readonly text?: string }
  readonly choices?: readonly { readonly delta?: { readonly content?: string } }[]
}

const ASKED = 'Go on.'
/** What the server publishes. */
export const LOAD_MODEL = 'load'
const MESSAGES = [{ role: 'user', content: ASKED }]

function textDelta(type: string) {
  return (frame: Frame): string | undefined =>
    frame.type === type && typeof frame.delta === 'string' ? frame.delta : undefined
}

/** The five protocols. */
export const LOAD_PROTOCOLS: readonly LoadProtocol[] = [
  {
    name: 'UI message stream',
    path: '/api/chat',
    body: (id) => ({
      id,
      messages: [{ id: 'q', role: 'user', parts: [{ type: 'text', text: ASKED }] }],
      trigger: 'submit-message',
    }),
    delta: textDelta('text-delta'),
    keepsConversation: true,
  },
  {
    name: 'AG-UI',
    path: '/ag-ui',
    body: (id) => ({
      threadId: id,
      runId: 'r',
      messages: [{ id: 'q', role: 'user', content: ASKED }],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    }),
    delta: textDelta('TEXT_MESSAGE_CONTENT'),
    keepsConversation: true,
  },
  {
    name: 'chat completions',
    path: '/v1/chat/completions',
    body: () => ({ model: LOAD_MODEL, stream: true, messages: MESSAGES }),
    delta: ({ choices }) => choices?.[0]?.delta?.content,
    keepsConversation: false,
  },
  {
    name: 'responses',
    path: '/v1/responses',
    body: () => ({ model: LOAD_MODEL, stream: true, store: false, input: ASKED }),
    delta: textDelta('response.output_text.delta'),
    keepsConversation: false,
  },
  {
    name: 'Anthropic messages',
    path: '/v1/messages',
    body: () => ({ model: LOAD_MODEL, stream: true, max_tokens: 10_000, messages: MESSAGES }),
    delta: ({ type, delta }) =>
      type === 'content_block_delta' && typeof delta === 'object' ? delta.text : undefined,
    keepsConversation: false,
  },
]
