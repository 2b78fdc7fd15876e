import { expect } from 'chai'
import { errorOf } from '../../helpers/plugins.ts'
import { ask, called, configOf, tool, user } from './ask.ts'

const QUESTION = 'What is 12 * 34, and what day is it?'

async function callsFor(
  text: string,
  tools: readonly ReturnType<typeof tool>[],
  config = configOf(),
) {
  const { calls } = await ask(text, config, { tools })
  return calls.map(({ name, input }) => [name, input])
}

describe('scripted provider with tools', () => {
  it('reasons, and calls both tools that a question needs', async () => {
    const { message, calls } = await ask(QUESTION)
    expect(calls.map(({ name, input }) => [name, input])).to.deep.equal([
      ['calculate', { expression: '12 * 34' }],
      ['current_time', {}],
    ])
    expect(message.parts[0]).to.include({
      type: 'reasoning',
      text: 'I call calculate for 12 * 34, and current_time.',
    })
    expect(message.metadata?.finishReason).to.equal('tool-calls')
  })

  it('says in a sentence what the tools returned', async () => {
    const { text, message } = await ask([
      user(QUESTION),
      ...called(
        'calculate',
        { expression: '12 * 34' },
        { expression: '12 * 34', result: '408', exact: true },
      ),
      ...called('current_time', {}, { date: '2026-11-21', weekday: 'Saturday', time: '12:00:00' }),
    ])
    expect(text).to.equal('12 * 34 = 408, and today is Saturday, 21 November 2026.')
    expect(message.metadata?.finishReason).to.equal('stop')
  })

  it('makes one call at a time where calls may not run beside each other', async () => {
    const config = configOf({}, { parallel_tool_calls: false })
    const first = await ask(QUESTION, config)
    expect(first.calls.map(({ name }) => name)).to.deep.equal(['calculate'])
    const done = called(
      'calculate',
      { expression: '12 * 34' },
      { expression: '12 * 34', result: '408' },
    )
    const second = await ask([user(QUESTION), ...done], config)
    expect(second.calls.map(({ name }) => name)).to.deep.equal(['current_time'])
  })

  it('numbers its calls through the transcript', async () => {
    const { calls } = await ask([user('2 + 2'), ...called('other', {}, 'done'), user('3 + 3')])
    expect(calls.map(({ callId }) => callId)).to.deep.equal(['call_2'])
  })

  it('takes no id that an earlier call has', async () => {
    const taken = called('other', {}, 'done').map((message) => ({
      ...message,
      parts: message.parts.map((part) => ({ ...part, callId: 'call_2' })),
    })) as ReturnType<typeof called>
    const { calls } = await ask([user('2 + 2'), ...taken, user('3 + 3')])
    expect(calls.map(({ callId }) => callId)).to.deep.equal(['call_3'])
  })

  const questions: readonly [text: string, calls: readonly unknown[]][] = [
    ['What time is it in Tokyo?', [['current_time', { time_zone: 'Asia/Tokyo' }]]],
    [
      'What day is it in New York and Paris?',
      [
        ['current_time', { time_zone: 'America/New_York' }],
        ['current_time', { time_zone: 'Europe/Paris' }],
      ],
    ],
    [
      'the date in Europe/Berlin please, what is it',
      [['current_time', { time_zone: 'Europe/Berlin' }]],
    ],
    ['The date, please', [['current_time', {}]]],
    ['Is it Monday today?', [['current_time', {}]]],
    ['Good day', []],
    ['My date is at eight', []],
    ['Today is fine.', []],
    ['Tell me a story', []],
  ]
  for (const [text, calls] of questions) {
    it(`answers "${text}" with ${calls.length} calls`, async () => {
      expect(await callsFor(text, [])).to.deep.equal(calls)
    })
  }

  it('fills a schema from pairs of names and values', async () => {
    const email = tool(
      'send_email',
      {
        to: { type: 'string' },
        subject: { type: 'string' },
        urgent: { type: 'boolean' },
        copies: { type: 'integer' },
      },
      ['to', 'subject'],
    )
    const text = 'Mail to: ada@example.com, subject = "Hello, you", urgent: yes, copies: 2'
    expect(await callsFor(text, [email])).to.deep.equal([
      ['send_email', { to: 'ada@example.com', subject: 'Hello, you', urgent: true, copies: 2 }],
    ])
  })

  it('takes the longest allowed value that a pair names as a whole word', async () => {
    const convert = tool('convert', { from: { enum: ['m', 'mi', 'mile', 'm/s'] } })
    for (const from of ['mile', 'm/s', 'mi', 'm'])
      expect(await callsFor(`Convert from: ${from}, please`, [convert])).to.deep.equal([
        ['convert', { from }],
      ])
  })

  it('fills places, allowed values, lists and questions from the words of the request', async () => {
    const weather = tool(
      'get_weather',
      { city: { type: 'string' }, unit: { enum: ['celsius', 'fahrenheit'] } },
      ['city'],
    )
    expect(
      await callsFor('What is the weather in Paris and New York, in celsius?', [weather]),
    ).to.deep.equal([
      ['get_weather', { unit: 'celsius', city: 'Paris' }],
      ['get_weather', { unit: 'celsius', city: 'New York' }],
    ])
    const search = tool('web_search', { query: { type: 'string' } })
    expect(await callsFor('Search for otters.', [search])).to.deep.equal([
      ['web_search', { query: 'otters' }],
    ])
    const add = tool('add_numbers', {
      a: { type: 'integer' },
      b: { type: 'number' },
      c: { type: 'integer' },
    })
    expect(await callsFor('Add the numbers 1.5, 2 and 3', [add])).to.deep.equal([
      ['add_numbers', { a: 2, b: 1.5, c: 3 }],
    ])
    const tags = tool('add_tags', { tags: { type: 'array', items: { type: 'string' } } })
    expect(await callsFor('tags: red, green', [tags])).to.deep.equal([
      ['add_tags', { tags: ['red', 'green'] }],
    ])
  })

  it('leaves a tool alone that it cannot fill, or that nobody mentions', async () => {
    const remove = tool('delete_file', { path: { type: 'string' } })
    expect(await callsFor('Delete that file', [remove])).to.deep.equal([])
    expect(await callsFor('Nice weather', [tool('list_users')])).to.deep.equal([])
  })

  it('reads an object that the text has as JSON', async () => {
    const set = tool('configure', { options: { type: 'object' } })
    const text = 'Configure with options: {"a": 1, "b": "x"} please'
    expect(await callsFor(text, [set])).to.deep.equal([
      ['configure', { options: { a: 1, b: 'x' } }],
    ])
  })

  it('gives each number to the parameter that it is named for', async () => {
    const numbers = { a: { type: 'number' }, b: { type: 'number' }, c: { type: 'integer' } }
    expect(
      await callsFor('Scale by c: 7, b: 2.5 and a: -1.5', [tool('scale', numbers)]),
    ).to.deep.equal([['scale', { a: -1.5, b: 2.5, c: 7 }]])
  })

  it('takes no word for a mention that any tool might have in its name', async () => {
    const text = 'get set do run the a of for to my tool current by is agent with in and'
    for (const word of text.split(' ')) {
      expect(await callsFor(text, [tool(`${word}_list`)]), word).to.deep.equal([])
    }
    expect(await callsFor('the list', [tool('tool_list')])).to.deep.equal([['tool_list', {}]])
  })

  it('gives a tool no value that its schema would not take', async () => {
    const properties = {
      to: { type: 'string', format: 'email' },
      count: { type: 'integer', maximum: 5 },
      code: { type: 'string', pattern: '^a+$' },
      day: { type: 'string', format: 'date' },
    }
    const text = 'to: ada@example.com, count: 9, code: aaa, day: soon'
    expect(await callsFor(text, [tool('send', properties, ['to'])])).to.deep.equal([
      ['send', { to: 'ada@example.com' }],
    ])
  })

  it('does not repeat a call whose result is there', async () => {
    const done = called('calculate', { expression: '2 + 2' }, { expression: '2 + 2', result: '4' })
    const { calls, text } = await ask([user('2 + 2'), ...done])
    expect(calls).to.deep.equal([])
    expect(text).to.equal('2 + 2 = 4.')
  })

  const results: readonly [what: string, output: unknown, more: object, text: string][] = [
    ['a text', 'Sunny', {}, 'lookup says: Sunny.'],
    ['parts', [{ type: 'text', text: 'Sunny' }], {}, 'lookup says: Sunny.'],
    ['a number', 21, {}, 'lookup gives 21.'],
    ['an object', { id: 7, is_done: true }, {}, 'lookup gives id: 7, is done: true.'],
    [
      'an approximate calculation',
      { expression: '1/3', result: '0.33', exact: false },
      {},
      '1/3 ≈ 0.33.',
    ],
    ['nothing', '', {}, 'lookup gave nothing.'],
    ['an error', 'no such city.', { isError: true }, 'lookup failed: no such city.'],
    [
      'an error object',
      { message: 'no such city' },
      { isError: true },
      'lookup failed: no such city.',
    ],
  ]
  for (const [what, output, more, text] of results) {
    it(`tells a result that is ${what}`, async () => {
      expect(
        (await ask([user('look it up'), ...called('lookup', {}, output, more)])).text,
      ).to.equal(text)
    })
  }

  it('calls nothing with the choice "none"', async () => {
    const { calls } = await ask('2 + 2', configOf({}, { tool_choice: 'none' }))
    expect(calls).to.deep.equal([])
  })

  it('calls something with the choice "required", and what is named with a named one', async () => {
    const weather = tool('get_weather', { city: { type: 'string', default: 'Berlin' } })
    const tools = [weather]
    const required = await ask('Hello', configOf({}, { tool_choice: 'required' }), { tools })
    expect(required.calls).to.have.length(1)
    const named = await ask(
      'Hello, 2 + 2',
      configOf({}, { tool_choice: { tool: 'get_weather' } }),
      { tools },
    )
    expect(named.calls.map(({ name, input }) => [name, input])).to.deep.equal([
      ['get_weather', { city: 'Berlin' }],
    ])
  })

  it('refuses a choice that is not offered', async () => {
    const error = await errorOf(ask('Hello', configOf({}, { tool_choice: { tool: 'nothing' } })))
    expect(error).to.include({ code: 'INVALID_REQUEST', status: 400, retryable: false })
    expect(error.message).to.include('offered are calculate, current_time')
  })

  it('takes tools with scripted-1 alone', async () => {
    const { calls, message, warnings } = await ask(
      '2 + 2',
      configOf({}, { model: 'scripted-mini' }),
      { tools: [tool('list_users')] },
    )
    expect(calls).to.deep.equal([])
    expect(message.parts.map(({ type }) => type)).to.deep.equal(['text'])
    expect(warnings).to.deep.equal(['Model "scripted-mini" takes no tools; 1 were left out.'])
  })
})
