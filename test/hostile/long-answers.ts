import type { Api } from '../../scripts/replay/content.ts'
import type { Place } from '../../scripts/replay/place.ts'

/** The formats that answers of any length are made of. */
export const APIS = ['chat', 'responses', 'messages'] as const satisfies readonly Api[]
export type LongApi = (typeof APIS)[number]

type Event = { readonly [key: string]: unknown }

interface Script {
  readonly head: readonly Event[]
  delta(text: string): Event
  /** An event that adds nothing to what is said. */
  readonly idle: Event
  tail(text: string): readonly Event[]
}

const PLACE = { output_index: 0, content_index: 0, item_id: 'msg_1' }
const ITEM = { id: 'msg_1', type: 'message', role: 'assistant', content: [] }
const PART = { type: 'output_text', text: '', annotations: [] }

const SCRIPTS: { readonly [A in LongApi]: Script } = {
  chat: {
    head: [{ id: 'c_1', model: 'm', created: 1, choices: [{ index: 0, delta: { content: '' } }] }],
    delta: (content) => ({ choices: [{ index: 0, delta: { content } }] }),
    idle: { choices: [{ index: 0, delta: {} }] },
    tail: () => [{ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }],
  },
  responses: {
    head: [
      { type: 'response.created', response: { id: 'resp_1', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: ITEM },
      { type: 'response.content_part.added', ...PLACE, part: PART },
    ],
    delta: (delta) => ({ type: 'response.output_text.delta', ...PLACE, delta }),
    idle: { type: 'response.in_progress' },
    tail: (text) => {
      const item = { ...ITEM, content: [{ ...PART, text }] }
      return [
        { type: 'response.output_item.done', output_index: 0, item },
        {
          type: 'response.completed',
          response: { id: 'resp_1', status: 'completed', output: [item] },
        },
      ]
    },
  },
  messages: {
    head: [
      { type: 'message_start', message: { id: 'msg_1', model: 'm', content: [], usage: {} } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ],
    delta: (text) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    }),
    idle: { type: 'ping' },
    tail: () => [
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ],
  },
}

/** Who reads a format. */
export function placeOf(api: LongApi): Place {
  return { provider: api === 'messages' ? 'anthropic' : 'openai', api }
}

const wordAt = (index: number): string => `word${index} `

/** What an answer of so many words says. */
export function wordsOf(count: number): string {
  return Array.from({ length: count }, (_, index) => wordAt(index)).join('')
}

/** The text of an answer's stream, event by event: so many words, or so many events that say nothing. */
export function* eventsOf(
  api: LongApi,
  { words = 0, idle = 0 }: { readonly words?: number; readonly idle?: number },
): Generator<string, void, undefined> {
  const { head, delta, idle: nothing, tail } = SCRIPTS[api]
  for (const event of head) yield written(event)
  for (let index = 0; index < words; index++) yield written(delta(wordAt(index)))
  for (let index = 0; index < idle; index++) yield written(nothing)
  for (const event of tail(wordsOf(words))) yield written(event)
}

function written(event: Event): string {
  return `data: ${JSON.stringify(event)}\n\n`
}
