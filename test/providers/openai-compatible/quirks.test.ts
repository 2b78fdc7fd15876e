import { expect } from 'chai'
import type { Message } from '../../../src/core/index.ts'
import { sampled } from '../../helpers/cases.ts'
import { sent, streamedChunks, streamedText } from './asking.ts'
import { chunksOf, FIXTURES, wholeOf } from './fixtures.ts'
import { after, QUIRKS, type Quirk } from './mutations.ts'

/** What an answer says, whatever it is called on its way. */
function saidBy({ parts, metadata = {} }: Message, lost?: Quirk['lost']): object {
  const textOf = (type: 'text' | 'reasoning') =>
    parts.map((part) => (part.type === type ? part.text : '')).join('')
  const calls = parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ name: part.name, input: part.input, ...(lost === 'ids' ? {} : { id: part.callId }) }]
      : [],
  )
  return {
    text: textOf('text'),
    reasoning: textOf('reasoning'),
    calls,
    finishReason: metadata.finishReason,
    ...(lost === 'usage' ? {} : { usage: metadata.usage }),
  }
}

const messageOf = async (chunks: readonly object[], ending?: string): Promise<Message> => {
  const { gathered, result } = await streamedChunks(chunks, ending)
  expect(result.error).to.equal(undefined)
  expect(gathered).to.deep.equal(result.messages)
  return result.messages[0] as Message
}

describe('an answer as OpenAI-compatible servers really send it', () => {
  for (const [title, { mutate, lost, ending }] of Object.entries(QUIRKS)) {
    it(`says the same with ${title}`, async () => {
      const chunks = chunksOf('calls')
      const mutated = await messageOf(mutate(chunks), ending)
      expect(saidBy(mutated, lost)).to.deep.equal(saidBy(await messageOf(chunks), lost))
    })
  }

  it('has calls with ids of their own, whatever the server calls them', async () => {
    for (const { mutate } of sampled(Object.values(QUIRKS), 4)) {
      const { parts } = await messageOf(mutate(chunksOf('calls')))
      const ids = parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
      expect(new Set(ids).size).to.equal(3)
    }
  })

  it('has facts of its parts by a digest of its server, and not by the address', async () => {
    const delta = { reasoning_content: 'I think.', content: 'Hello' }
    const { parts } = await messageOf([{ choices: [{ index: 0, delta, finish_reason: 'stop' }] }])
    const facts = parts[0]?.providerMetadata?.['openai-compatible']
    expect(facts).to.have.keys('server', 'field')
    expect(JSON.stringify(parts)).to.not.include('nowhere')
    const { parts: again } = await messageOf([{ choices: [{ index: 0, delta }] }])
    expect(again[0]?.providerMetadata?.['openai-compatible']).to.deep.equal(facts)
  })

  for (const [expected, ...words] of [
    ['stop', 'stop', 'STOP', 'eos', 'end_turn'],
    ['length', 'length', 'MAX_TOKENS', 'model_length'],
    ['content-filter', 'SAFETY', 'RECITATION', 'content_filter: PROHIBITED_CONTENT', 'sensitive'],
    ['error', 'error', 'insufficient_system_resource'],
    ['other', 'abort', 'constructor'],
  ] as const) {
    it(`ends with "${expected}" where the server says ${words.join(', ')}`, async () => {
      for (const finish_reason of words) {
        const delta = { content: 'Hello' }
        const { metadata } = await messageOf([{ choices: [{ index: 0, delta, finish_reason }] }])
        expect(metadata?.finishReason, finish_reason).to.equal(expected)
      }
    })
  }

  it('has an empty object for the arguments "null" of a call, and shows nothing of them', async () => {
    const called = { name: 'ping', arguments: 'null' }
    const delta = { tool_calls: [{ index: 0, id: 'a', type: 'function', function: called }] }
    const chunk = { choices: [{ index: 0, delta, finish_reason: 'tool_calls' }] }
    const { events, gathered } = await streamedChunks([chunk])
    expect(gathered[0]?.parts[0]).to.include({ type: 'tool-call', name: 'ping' })
    expect(gathered[0]?.parts[0]).to.have.deep.property('input', {})
    expect(events.filter(({ type }) => type === 'tool-call-delta')).to.deep.equal([])
  })

  it('has no usage where the server tells none', async () => {
    const { mutate } = QUIRKS['no usage'] as Quirk
    expect((await messageOf(mutate(chunksOf('calls')))).metadata?.usage).to.equal(undefined)
  })

  it('is the same with comments, blank lines and other line ends between', async () => {
    const events = chunksOf('calls').map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
    const kept = [': keep-alive\n\n', '\n', ': OPENROUTER PROCESSING\n\n', 'retry: 3000\n\n']
    const text = events.map((event, at) => `${kept[at % kept.length]}${event}`).join('')
    const { result } = await streamedText(
      `${text.replaceAll('\n', '\r\n')}data: [DONE]\r\n\r\n: bye\n\n`,
    )
    expect(result.messages).to.deep.equal([await messageOf(chunksOf('calls'))])
  })

  for (const [title, error, expected] of [
    ['as an object', { error: { message: 'Too busy', code: 503 } }, 'OVERLOADED'],
    ['as a text', { error: 'Rate limit reached', code: 'rate_limit_exceeded' }, 'PROVIDER_FAILED'],
    [
      'as an object of the kind "error"',
      { object: 'error', message: 'No', code: 429 },
      'RATE_LIMITED',
    ],
    ['in x_groq', { choices: [], x_groq: { error: { message: 'Failed' } } }, 'PROVIDER_FAILED'],
    [
      'in a choice',
      {
        choices: [
          { index: 0, delta: {}, finish_reason: 'error', error: { message: 'Gone', code: 502 } },
        ],
      },
      'PROVIDER_FAILED',
    ],
  ] as const) {
    it(`ends in an error that comes ${title} inside the stream`, async () => {
      const { gathered, result } = await streamedChunks([...chunksOf('calls').slice(0, 4), error])
      expect(result.status).to.equal('failed')
      expect(result.error).to.include({ code: expected, plugin: 'openai-compatible' })
      expect(gathered[0]?.parts.map(({ type }) => type)).to.deep.equal(['reasoning', 'text'])
    })
  }

  for (const [title, body] of [
    ['beside nothing', { error: { message: 'No such model', code: 404 } }],
    [
      'in a choice',
      {
        choices: [
          { index: 0, message: { content: '' }, error: { message: 'No such model', code: 404 } },
        ],
      },
    ],
    ['of the kind "error"', { object: 'error', message: 'No such model', code: 404 }],
  ] as const) {
    it(`is no answer where an error ${title} has status 200`, async () => {
      const error = await sent(body).then(
        () => undefined,
        (thrown: Error) => thrown,
      )
      expect(error?.message).to.include('No such model')
    })
  }

  it('keeps tags in the text, which an extension takes for reasoning', async () => {
    const chunk = {
      ...chunksOf('calls')[0],
      choices: [{ index: 0, delta: { content: '<think>a</think>b' } }],
    }
    expect((await messageOf([chunk])).parts).to.deep.equal([
      { type: 'text', text: '<think>a</think>b' },
    ])
  })

  it('has two calls of one tool that takes nothing', async () => {
    const call = (fields: object) => ({
      type: 'function',
      function: { name: 'now', arguments: '' },
      ...fields,
    })
    const chunk = (...calls: readonly object[]) => ({
      choices: [{ index: 0, delta: { tool_calls: calls } }],
    })
    for (const chunks of [
      [chunk(call({ index: 0, id: 'a' })), chunk(call({ index: 1, id: 'b' }))],
      [chunk(call({ index: 0, id: 'a' })), chunk(call({ index: 0, id: 'b' }))],
      [chunk(call({ id: 'a' })), chunk(call({ id: 'b' }))],
      [chunk(call({ index: 0, id: 'a' }), call({ index: 0, id: 'b' }))],
      [chunk(call({ index: 0 }), call({ index: 0 }))],
      [chunk(call({}), call({}))],
      [
        chunk(call({ function: { name: 'now', arguments: {} } })),
        chunk(call({ function: { name: 'now', arguments: {} } })),
      ],
    ]) {
      const { parts } = await messageOf(chunks)
      const calls = parts.flatMap((part) =>
        part.type === 'tool-call' ? [[part.name, part.input]] : [],
      )
      expect(calls, JSON.stringify(chunks)).to.deep.equal([
        ['now', {}],
        ['now', {}],
      ])
    }
  })

  it('has calls of old servers in the list beside an empty new one', async () => {
    const chunks = after((all) => all)(chunksOf('legacy-function')).map((chunk) => chunk)
    const both = chunks.map((chunk) => {
      const [choice] = chunk['choices'] as readonly { delta: object }[]
      return { ...chunk, choices: [{ ...choice, delta: { tool_calls: [], ...choice?.delta } }] }
    })
    expect(saidBy(await messageOf(both))).to.deep.equal(saidBy(await messageOf(chunks)))
  })
})

describe('our own answers of OpenAI-compatible servers', () => {
  for (const name of FIXTURES) {
    it(`CL-42 end in the same message in send and stream: ${name}`, async () => {
      const { gathered, result } = await streamedChunks(chunksOf(name))
      const whole = await sent(wholeOf(name))
      expect(result.error).to.equal(undefined)
      expect(result.messages).to.deep.equal(whole.messages)
      expect(gathered).to.deep.equal(whole.messages)
      expect(result.usage).to.deep.equal(whole.usage)
    })
  }
})
