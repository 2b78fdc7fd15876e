import type { CallerTool } from '@braidwork/core'
import type { Message } from '@braidwork/plugin'

/** A small picture: one red pixel. */
export const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

/** A tool whose words are found nowhere else. */
export const LOOKUP: CallerTool = {
  name: 'braidwork_lookup',
  description: 'Looks up a braided tea.',
  input_schema: {
    type: 'object',
    properties: { tea_name: { type: 'string', description: 'The tea to look up.' } },
    required: ['tea_name'],
    additionalProperties: false,
  },
}

export const LAST_WORDS = 'Is the braided tea hot?'

const said = (role: 'system' | 'user' | 'assistant', text: string): Message => ({
  role,
  parts: [{ type: 'text', text }],
})
const END = said('user', LAST_WORDS)

const call = (callId: string, tea_name: string) =>
  ({ type: 'tool-call', callId, name: LOOKUP.name, input: { tea_name } }) as const
const result = (callId: string, output: unknown) =>
  ({ type: 'tool-result', callId, name: LOOKUP.name, output }) as const

/** Histories that a chat may have, by name. */
export const HISTORIES: { readonly [name: string]: readonly Message[] } = {
  image: [
    {
      role: 'user',
      parts: [
        { type: 'text', text: LAST_WORDS },
        { type: 'file', mediaType: 'image/png', data: PICTURE },
      ],
    },
  ],
  calls: [
    said('user', 'Compare two teas.'),
    { role: 'assistant', parts: [call('history-1', 'Assam'), call('history-2', 'Ceylon')] },
    {
      role: 'tool',
      parts: [result('history-1', 'malty-result'), result('history-2', { taste: 'citrus-result' })],
    },
    said('assistant', 'Both are good.'),
    END,
  ],
  'failed call': [
    said('user', 'Look it up.'),
    { role: 'assistant', parts: [call('history-3', 'Unknown')] },
    { role: 'tool', parts: [{ ...result('history-3', 'no such tea'), isError: true }] },
    END,
  ],
  reasoning: [
    said('user', 'Think.'),
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'A thought.', providerMetadata: { foreign: { id: 'f' } } },
        { type: 'text', text: 'Thought.' },
      ],
    },
    END,
  ],
  system: [said('system', 'Answer in braided-style.'), END],
  turns: [
    ...Array.from({ length: 20 }, (_, at) =>
      said(at % 2 === 0 ? 'user' : 'assistant', `Message ${at} of this chat.`),
    ),
    END,
  ],
  characters: [said('user', '茶 😀 e\u0301 \u2028 "quoted" \\ <b> \u0007 tea')],
}
