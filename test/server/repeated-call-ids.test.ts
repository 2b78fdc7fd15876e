import { expect } from 'chai'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { Message } from '../../src/plugin/index.ts'
import { textEvents } from '../helpers/hosts.ts'
import { eventProvider, schema, tool } from '../helpers/plugins.ts'
import { Served } from './routes/served.ts'

const parameters = { type: 'object', properties: {} }
const LOCATE = { name: 'locate', description: 'Where the user is', parameters }

/** The events of a call whose id the model API gives to each first call of an answer. */
function calling(name: string, id = 'call_0'): readonly object[] {
  return [
    { type: 'tool-call-start', id, name },
    { type: 'tool-call-end', id, input: {} },
  ]
}

describe('a model API that repeats the ids of its calls', () => {
  let served: Served
  let answers: (readonly object[])[]
  let sent: (readonly Message[])[]
  let count: number

  beforeEach(async () => {
    answers = []
    sent = []
    count = 0
    const model = {
      ...eventProvider([]),
      toNative: (messages: readonly Message[]) => {
        sent.push(messages)
        return messages
      },
      stream: () => answers.shift() ?? textEvents('Done.'),
    }
    const note = tool('note', {
      getToolSchemas: () => [schema('note')],
      executeTool: () => `note ${++count}`,
    })
    const plugins = [model, note] as never
    const config = { provider: 'p', model: 'm' }
    const storage = memoryStorage()
    served = await Served.start({ storage, models: { quick: {} } }, { plugins, config })
  })
  afterEach(() => served.close())

  /** The calls and results that the model was sent last. */
  const lastSent = () =>
    (sent.at(-1) ?? []).flatMap(({ parts }) =>
      parts.flatMap((part) => {
        if (part.type === 'tool-call') return [`call ${part.callId}`]
        return part.type === 'tool-result' ? [`${part.callId}: ${part.output}`] : []
      }),
    )

  it('is given each result of a client of AG-UI, turn after turn', async () => {
    const messages: object[] = []
    const ask = async (message: object) => {
      messages.push(message)
      const { text, status } = await served.ask('/ag-ui', {
        body: {
          threadId: 'talk',
          runId: `r${messages.length}`,
          messages,
          tools: [LOCATE],
          context: [],
          forwardedProps: { agent: 'quick' },
        },
      })
      expect(status, text).to.equal(200)
      const ids = [...text.matchAll(/"TOOL_CALL_START","toolCallId":"([^"]+)"/g)].map(
        ([, id]) => id ?? '',
      )
      const toolCalls = ids.map((id) => ({
        id,
        type: 'function',
        function: { name: 'locate', arguments: '{}' },
      }))
      const id = `a${messages.length}`
      messages.push({
        id,
        role: 'assistant',
        content: 'x',
        ...(ids.length > 0 ? { toolCalls } : {}),
      })
      return ids
    }
    answers = [calling('locate'), calling('locate'), textEvents('Done.'), calling('locate')]
    const result = (id: string, toolCallId = '') => ({
      id,
      role: 'tool',
      toolCallId,
      content: id,
    })
    const [first] = await ask({ id: 'u1', role: 'user', content: 'where?' })
    const [second] = await ask(result('t1', first))
    expect(await ask(result('t2', second))).to.deep.equal([])
    const [third] = await ask({ id: 'u2', role: 'user', content: 'and now?' })
    await ask(result('t3', third))
    expect([first, second, third]).to.deep.equal(['call_0', 'call_0-2', 'call_0-3'])
    expect(lastSent()).to.deep.equal([
      'call call_0',
      'call_0: t1',
      'call call_0-2',
      'call_0-2: t2',
      'call call_0-3',
      'call_0-3: t3',
    ])
  })

  const respond = (body: object) =>
    served.ask('/v1/responses', {
      body: { model: 'quick', tools: [{ type: 'function', ...LOCATE }], ...body },
    })
  const called = (call_id: string) => ({
    type: 'function_call',
    call_id,
    name: 'locate',
    arguments: '{}',
  })
  const output = (call_id: string, text: string) => ({
    type: 'function_call_output',
    call_id,
    output: text,
  })

  it('is given each result of stored responses that continue one another', async () => {
    answers = [calling('locate'), calling('locate')]
    let previous = {}
    let input: unknown = 'where?'
    const ids: unknown[] = []
    for (const place of ['here', 'there', 'gone']) {
      const { json, status, text } = await respond({ store: true, input, ...previous })
      expect(status, text).to.equal(200)
      previous = { previous_response_id: json['id'] }
      const [call] = json['output'] as unknown as readonly { readonly call_id?: string }[]
      if (call?.call_id !== undefined) ids.push(call.call_id)
      input = [output(call?.call_id ?? '', place)]
    }
    expect(ids).to.deep.equal(['call_0', 'call_0-2'])
    expect(lastSent()).to.deep.equal([
      'call call_0',
      'call_0: here',
      'call call_0-2',
      'call_0-2: there',
    ])
  })

  for (const store of [true, false]) {
    it(`is asked with a whole history of a client that repeats ids itself, ${store ? '' : 'not '}stored`, async () => {
      const input = [
        { role: 'user', content: 'where?' },
        called('c1'),
        output('c1', 'here'),
        called('c1'),
        output('c1', 'there'),
      ]
      const { status, text } = await respond({ store, input })
      expect(status, text).to.equal(200)
      expect(lastSent().filter((one) => one.includes(': '))).to.deep.equal([
        'c1: here',
        'c1: there',
      ])
    })
  }

  it('is refused a result too many, stored', async () => {
    const input = [called('c1'), output('c1', 'here'), output('c1', 'there')]
    const { status, text } = await respond({ store: true, input })
    expect(status, text).to.equal(400)
  })

  it('reads in the answer that a client goes on with what the host did for that one', async () => {
    const question = { role: 'user', content: 'where?' }
    const tools = [{ type: 'function', function: LOCATE }]
    const complete = async (...messages: readonly object[]) => {
      const body = { model: 'quick', messages, tools }
      const { json, status, text } = await served.ask('/v1/chat/completions', { body })
      expect(status, text).to.equal(200)
      const [choice] = json['choices'] as unknown as readonly { readonly message: Answer }[]
      return choice?.message
    }
    const both = [calling('note'), calling('locate', 'call_1')]
    answers = [...both, ...both]
    const first = await complete(question)
    const second = await complete(question)
    for (const [answer, said] of [
      [first, 'note 1'],
      [second, 'note 2'],
    ] as const) {
      const id = answer?.tool_calls?.[0]?.id
      await complete(question, answer ?? {}, { role: 'tool', tool_call_id: id, content: 'here' })
      expect(lastSent().filter((one) => one.includes('note'))[0]).to.include(said)
    }
  })
})

interface Answer {
  readonly tool_calls?: readonly { readonly id: string }[]
}
