import { expect } from 'chai'
import { Served } from '../routes/served.ts'

interface Told {
  readonly messages: readonly Kept[]
  readonly interrupts: readonly { readonly id: string }[]
}

interface Kept {
  readonly id: string
  readonly role: string
  content?: string
  toolCalls?: { id: string; type: string; function: { name: string; arguments: string } }[]
  readonly toolCallId?: string
  encryptedValue?: string
}

type Event = { readonly [field: string]: string } & { readonly type: string }

/** What a client of AG-UI makes of the events of a run. */
class Client {
  readonly #kept = new Map<string, Kept>()

  get messages(): readonly Kept[] {
    return [...this.#kept.values()]
  }

  read(event: Event): void {
    const { type } = event
    if (/^(TEXT|REASONING)_MESSAGE_CONTENT$/.test(type)) {
      const role = type.startsWith('TEXT') ? 'assistant' : 'reasoning'
      const message = this.#messageOf(event['messageId'], role)
      message.content = (message.content ?? '') + event['delta']
    } else if (type === 'REASONING_ENCRYPTED_VALUE') {
      const message = this.#messageOf(event['entityId'], '')
      message.encryptedValue = event['encryptedValue'] ?? ''
    } else if (type.startsWith('TOOL_CALL')) {
      this.#call(event)
    }
  }

  #call({ type, toolCallId = '', messageId: id = '', content = '', ...event }: Event): void {
    if (type === 'TOOL_CALL_RESULT') {
      this.#kept.set(id, { id, role: 'tool', toolCallId, content })
    } else if (type === 'TOOL_CALL_START') {
      const message = this.#messageOf(event['parentMessageId'], 'assistant')
      const called = { name: event['toolCallName'] ?? '', arguments: '' }
      const call = { id: toolCallId, type: 'function', function: called }
      message.toolCalls = [...(message.toolCalls ?? []), call]
    } else if (type === 'TOOL_CALL_ARGS') {
      const calls = this.messages.flatMap(({ toolCalls = [] }) => toolCalls)
      const call = calls.find((one) => one.id === toolCallId)
      if (call) call.function.arguments += event['delta']
    }
  }

  #messageOf(id = '', role = ''): Kept {
    const message = this.#kept.get(id) ?? { id, role }
    this.#kept.set(id, message)
    return message
  }
}

function keptOf(text: string): readonly Kept[] {
  const client = new Client()
  for (const [, json] of text.matchAll(/^data: (\{.*)$/gm)) client.read(JSON.parse(String(json)))
  return client.messages
}

describe('a conversation for a page of AG-UI', () => {
  let served: Served
  beforeEach(async () => {
    served = await Served.start()
  })
  afterEach(() => served.close())

  async function run(messages: readonly object[], agent = 'quick', more: object = {}) {
    const base = { threadId: 'c1', runId: `r${messages.length}`, tools: [], context: [] }
    const body = { ...base, messages, forwardedProps: { agent }, ...more }
    return keptOf((await served.ask('/ag-ui', { body })).text)
  }
  const told = async (): Promise<Told> =>
    JSON.parse((await served.ask('/api/conversations/c1?format=ag-ui')).text)

  it('has the messages that the page kept, so that it goes on with them', async () => {
    const asked = { id: 'u1', role: 'user', content: 'calculate' }
    const context = [{ description: 'Place', value: 'Rome' }]
    const first = [asked, ...(await run([asked], 'quick', { context }))]
    expect((await told()).messages).to.deep.equal(first)
    const picture = { type: 'data', value: 'aGk=', mimeType: 'image/png' }
    const document = { type: 'data', value: 'aGk=', mimeType: 'text/plain' }
    const content = [
      { type: 'text', text: 'hello' },
      { type: 'image', source: picture },
      { type: 'document', source: document },
    ]
    const more = [...first, { id: 'u2', role: 'user', content }]
    const all = [...more, ...(await run(more))]
    const history = await told()
    expect(history).to.deep.include({ messages: all, interrupts: [] })
    const again = { id: 'u3', role: 'user', content: 'good morning' }
    await run([...history.messages, again])
    const longer = (await told()).messages
    expect(longer.slice(0, all.length + 1)).to.deep.equal([...all, again])
  })

  it('has the interrupts that wait for an answer', async () => {
    const asked = { id: 'u1', role: 'user', content: 'calculate' }
    await run([asked], 'careful')
    const { interrupts } = await told()
    expect(interrupts).to.have.length(1)
    expect(interrupts[0]).to.deep.include({
      reason: 'tool_call',
      toolCallId: 'call_1',
      metadata: { kind: 'approval', toolName: 'calculate', input: { expression: '6 * 7' } },
    })
    const resume = [
      { interruptId: interrupts[0]?.id, status: 'resolved', payload: { approved: true } },
    ]
    await run([asked], 'careful', { resume })
    const after = await told()
    expect(after.interrupts).to.deep.equal([])
    expect(after.messages.at(-1)?.content).to.include('42')
  })

  it('comes in no other format', async () => {
    await run([{ id: 'u1', role: 'user', content: 'hello' }])
    const refused = await served.ask('/api/conversations/c1?format=openai')
    expect([refused.status, refused.json['error']?.['code']]).to.deep.equal([
      400,
      'REQUEST_INVALID',
    ])
  })
})
