import { MessagesAnswer } from '../../providers/anthropic/messages/chunks.ts'
import { ChatAnswer } from '../../providers/model-api/chat/chunks.ts'
import type { Gathering } from '../../providers/model-api/format.ts'
import { ResponsesAnswer } from '../../providers/openai/responses/chunks.ts'
import { expectLinear, type Work } from '../helpers/doubling.ts'

type Events = readonly { readonly [key: string]: unknown }[]

const PROFILE = { name: 'p', title: 'P' } as ConstructorParameters<typeof ChatAnswer>[0]
const SIZES = [2500, 5000, 10_000]

/** What the arguments of a call begin with, and what they go on with over and over. */
const ARGUMENTS = {
  'a text': ['{"a":"', 'bcd'],
  'a text of brackets': ['{"a":"', '}{}'],
  'a text of objects': ['{"a":"', '{}'],
  'one object after the other': ['{}', '{}'],
  'an object that has ended': [`{"a":"${'b'.repeat(2000)}"}`, ' '],
  nothing: ['', '   '],
  'no JSON': ['', 'bcd'],
} as const

function times(size: number, make: (index: number) => Events[number]): Events {
  return Array.from({ length: size }, (_, index) => make(index))
}

function gathering(create: () => Gathering, events: Events): Work {
  return () => {
    const answer = create()
    for (const event of events) answer.add(event)
    return answer.end()
  }
}

const chat = (deltas: Events): Work =>
  gathering(
    () => new ChatAnswer(PROFILE),
    deltas.map((delta) => ({ choices: [{ index: 0, delta }] })),
  )

const responses = (events: Events): Work => {
  const end = { type: 'response.completed', response: { id: 'r', status: 'completed' } }
  return gathering(() => new ResponsesAnswer(PROFILE), [...events, end])
}

const messages = (events: Events): Work => {
  const start = { type: 'message_start', message: { id: 'm', content: [], usage: {} } }
  return gathering(
    () => new MessagesAnswer({ profile: PROFILE, isRepaired: false }),
    [start, ...events],
  )
}

const called = (delta: object) => ({ tool_calls: [{ index: 0, ...delta }] })

/** How a call's arguments are streamed. */
const CALLS: { readonly [name: string]: (pieces: readonly string[]) => Work } = {
  'chat completions': (pieces) =>
    chat([
      called({ id: 'c', function: { name: 'look' } }),
      ...pieces.map((piece) => called({ function: { arguments: piece } })),
    ]),
  'chat completions with the name each time': (pieces) =>
    chat(pieces.map((piece) => called({ function: { name: 'look', arguments: piece } }))),
  'chat completions with another id each time': (pieces) =>
    chat(
      pieces.map((piece, at) =>
        called({ id: `c${at}`, function: { name: 'look', arguments: piece } }),
      ),
    ),
  responses: (pieces) => {
    const item = { type: 'function_call', id: 'f', call_id: 'c', name: 'look', arguments: '' }
    const type = 'response.function_call_arguments.delta'
    return responses([
      { type: 'response.output_item.added', output_index: 0, item },
      ...pieces.map((delta) => ({ type, output_index: 0, item_id: 'f', delta })),
    ])
  },
  messages: (pieces) =>
    messages([
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 'c', name: 'look', input: {} },
      },
      ...pieces.map((partial_json) => blockDelta({ type: 'input_json_delta', partial_json })),
    ]),
}

function blockDelta(delta: object, index = 0): Events[number] {
  return { type: 'content_block_delta', index, delta }
}

/** What else grows in an answer, event by event. */
const OTHERS: { readonly [name: string]: (size: number) => Work } = {
  'members of a call': (size) => chat(times(size, (at) => called({ id: 'c', [`k${at}`]: 1 }))),
  'members of a detail of the reasoning': (size) =>
    chat(times(size, (at) => ({ reasoning_details: [{ type: 'x', [`k${at}`]: 1 }] }))),
  'members of a thought': (size) =>
    chat(times(size, (at) => ({ content: [{ type: 'thinking', thinking: [], [`k${at}`]: 1 }] }))),
  'items of a response': (size) =>
    responses(
      times(2 * size, (at) => ({
        type: 'response.output_item.added',
        output_index: at,
        item: { type: 'message', id: `m${at}`, content: [] },
      })),
    ),
  'members of a message': (size) =>
    messages(times(size, (at) => ({ type: 'message_delta', delta: { [`k${at}`]: 1 } }))),
  'members of its usage': (size) =>
    messages(times(size, (at) => ({ type: 'message_delta', usage: { [`k${at}`]: 1 } }))),
  'a signature of a block of many members': (size) => {
    const members = Object.fromEntries(times(size, () => ({})).map((_, at) => [`k${at}`, 1]))
    const block = { type: 'thinking', thinking: '', ...members }
    const delta = blockDelta({ type: 'signature_delta', signature: 'abc' })
    return messages([
      { type: 'content_block_start', index: 0, content_block: block },
      ...times(size, () => delta),
    ])
  },
  'deltas that wait for the block before': (size) => {
    const start = { type: 'content_block_start', content_block: { type: 'text', text: 'a' } }
    const delta = blockDelta({ type: 'text_delta', text: 'abc' }, 1)
    return messages([{ ...start, index: 0 }, { ...start, index: 1 }, ...times(size, () => delta)])
  },
}

describe('an answer is gathered in time that grows as it does', function () {
  this.timeout(300_000)

  for (const [api, make] of Object.entries(CALLS)) {
    for (const [what, [first, piece]] of Object.entries(ARGUMENTS)) {
      it(`${api}: arguments that are ${what}`, async () => {
        await expectLinear({
          name: what,
          sizes: SIZES,
          make: (size) => make([first, ...Array<string>(size).fill(piece)]),
        })
      })
    }
  }

  for (const [name, make] of Object.entries(OTHERS)) {
    it(name, async () => {
      await expectLinear({ name, sizes: SIZES, make })
    })
  }

  it('however much waits for the block before', () => {
    OTHERS['deltas that wait for the block before']?.(300_000)()
  })
})
