import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../../src/agent/storage/index.ts'
import askUser from '../../../tools/ask-user/index.ts'
import calculator from '../../../tools/calculator/index.ts'
import { type Answered, chatBody, Served, user } from '../routes/served.ts'

const CALCULATE = { name: 'calculate', input: { expression: '6 * 7' } }
const WEATHER = { name: 'weather', input: { city: 'Rome' } }
const QUESTION = { name: 'ask_user', input: { question: 'Which color?', options: ['red', 'blue'] } }
const SCRIPT = [
  { when: { text: 'both', step: 1 }, then: { tool_calls: [CALCULATE, WEATHER] } },
  { when: { text: 'three', step: 1 }, then: { tool_calls: [CALCULATE, CALCULATE, WEATHER] } },
  { when: { text: 'asking', step: 1 }, then: { tool_calls: [QUESTION, WEATHER] } },
  { then: { text: 'All is done.' } },
]
const scripting = { settings: { scripted: { script: SCRIPT, delay_ms: 0 } } }
const config = {
  ...scripting,
  enabled_plugins: ['ask-user'],
  tool_policy: { calculate: 'ask' },
} as const
const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const TOOLS = { weather: { parameters } }
const AG_UI_TOOLS = [{ name: 'weather', description: 'The weather', parameters }]

/** A step that calls the client's tool, and a tool that waits for a person. */
interface Step {
  readonly approvals: readonly string[]
  /** The ids of the calls, in their order. */
  readonly calls: readonly string[]
  readonly weather: string
  readonly runId: string
}

describe('a step with a call for a person and one for the client', () => {
  let storage: Storage
  let served: Served
  beforeEach(async () => {
    storage = memoryStorage()
    const plugins = [scripted, calculator, askUser]
    served = await Served.start({ storage, models: { quick: { config } } }, { plugins, config: {} })
  })
  afterEach(() => served.close())

  const chat = (messages: readonly object[]) =>
    served.ask('/api/chat?sdk=6', { body: chatBody('talk', messages, { tools: TOOLS }) })

  async function begin(text = 'both'): Promise<Step> {
    const { headers } = await chat([user('u1', text)])
    const runId = headers.get('x-run-id') ?? ''
    const approvals = (await storage.approvals.list('ada', runId)).map(({ id }) => id)
    const calls = await callsOf()
    return { approvals, calls, weather: calls.at(-1) ?? '', runId }
  }

  async function callsOf(): Promise<readonly string[]> {
    const entries = await storage.conversations.history('ada', 'talk')
    return entries.flatMap((entry) =>
      entry.kind === 'message'
        ? entry.message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
        : [],
    )
  }

  /** The conversation as its page has it, with some of the calls answered. */
  async function answered(change: (part: PagePart) => Partial<PagePart> | undefined) {
    const messages = (await served.history('talk')) as unknown as PageMessage[]
    return messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) => ({ ...part, ...change(part) })),
    }))
  }

  const withResult =
    ({ weather }: Step) =>
    ({ toolCallId }: PagePart) =>
      toolCallId === weather ? { state: 'output-available', output: 'sunny' } : undefined
  const withVerdicts = (approved: boolean, ids?: readonly string[]) => (part: PagePart) => {
    const { approval } = part
    if (!approval || (ids && !ids.includes(approval.id))) return undefined
    return { state: 'approval-responded', approval: { ...approval, approved } }
  }
  const approve = (id: string | undefined, approved = true) =>
    served.ask(`/approvals/${id}`, { body: { approved } })
  const agUi = (more: object) =>
    served.ask('/ag-ui', {
      body: {
        threadId: 'talk',
        runId: 'r',
        protocolVersion: '1.0',
        tools: AG_UI_TOOLS,
        context: [],
        messages: [],
        forwardedProps: { agent: 'quick' },
        ...more,
      },
    })
  const toolMessage = ({ weather }: Step) => ({
    id: 't1',
    role: 'tool',
    toolCallId: weather,
    content: 'sunny',
  })
  const agUiAsked = { id: 'u1', role: 'user', content: 'both' }
  const agUiAnswer = ({ calls: [first, second] }: Step) => ({
    id: 'a1',
    role: 'assistant',
    toolCalls: [
      { id: first, type: 'function', function: { name: 'calculate', arguments: '{}' } },
      { id: second, type: 'function', function: { name: 'weather', arguments: '{}' } },
    ],
  })

  async function end({ runId }: Step): Promise<void> {
    await served.ask(`/runs/${runId}/events`)
  }

  /** The texts and results of the conversation, each once. */
  async function told() {
    const entries = await storage.conversations.history('ada', 'talk')
    return entries.flatMap((entry) =>
      entry.kind === 'message'
        ? entry.message.parts.flatMap((part) => {
            if (part.type === 'tool-result') return [outputOf(part.output)]
            return part.type === 'text' ? [part.text] : []
          })
        : [],
    )
  }

  const outputOf = (output: unknown) =>
    typeof output === 'string' ? output : String(Object(output).result ?? Object(output).answer)
  const statusOf = async ({ runId }: Step) => (await storage.runs.load('ada', runId))?.status
  const assertOk = ({ status, text }: Answered) => expect(status, text).to.equal(200)

  describe('is answered', () => {
    it('by both in one request of a page, and the approved call runs', async () => {
      const step = await begin()
      const first = await answered(withResult(step))
      const answer = await chat(
        first.map((message) => ({
          ...message,
          parts: message.parts.map((part) => ({ ...part, ...withVerdicts(true)(part) })),
        })),
      )
      assertOk(answer)
      expect(answer.text).to.include('"output":').and.not.include('was not answered')
      expect(await told()).to.deep.equal(['both', 'sunny', '42', 'All is done.'])
      expect(await statusOf(step)).to.equal('done')
    })

    it('by both in one request of AG-UI', async () => {
      const step = await begin()
      const resume = step.approvals.map((interruptId) => ({
        interruptId,
        status: 'resolved',
        payload: { approved: true },
      }))
      const messages = [agUiAsked, agUiAnswer(step), toolMessage(step)]
      assertOk(await agUi({ messages, resume }))
      expect(await told()).to.deep.equal(['both', 'sunny', '42', 'All is done.'])
    })

    it('by the client first: the approval waits on, and is all that is told again', async () => {
      const step = await begin()
      const messages = await answered(withResult(step))
      const early = await chat(messages)
      assertOk(early)
      expect(early.text).to.include('tool-approval-request').and.not.include('tool-input-start')
      expect(await told()).to.deep.equal(['both', 'sunny'])
      expect(await statusOf(step)).to.equal('suspended')
      const again = await chat(messages)
      assertOk(again)
      expect(await told()).to.deep.equal(['both', 'sunny'])
      assertOk(await approve(step.approvals[0]))
      await end(step)
      expect(await told()).to.deep.equal(['both', 'sunny', '42', 'All is done.'])
    })

    it('by the client first over AG-UI: the run ends with the interrupt again', async () => {
      const step = await begin()
      const early = await agUi({ messages: [agUiAsked, agUiAnswer(step), toolMessage(step)] })
      expect(early.text).to.include('"type":"interrupt"').and.include(step.approvals[0])
      expect(await told()).to.deep.equal(['both', 'sunny'])
    })

    it('by the person in the page first: the step stays the last one, since the client has a call in it', async () => {
      await begin()
      const { text } = await chat(await answered(withVerdicts(true)))
      expect(text).to.include('"tool-output-available"')
      expect(text).not.to.include('"start-step"')
    })

    it('by the person first: the model is asked when the client has answered too', async () => {
      const step = await begin()
      assertOk(await approve(step.approvals[0]))
      await end(step)
      expect(await told()).to.deep.equal(['both', '42'])
      expect(await statusOf(step)).to.equal('done')
      assertOk(await chat(await answered(withResult(step))))
      expect(await told()).to.deep.equal(['both', '42', 'sunny', 'All is done.'])
    })

    it('by the person first over AG-UI: the response names the call that is open', async () => {
      const step = await begin()
      const [interruptId] = step.approvals
      const resume = [{ interruptId, status: 'resolved', payload: { approved: true } }]
      const first = await agUi({ messages: [agUiAsked, agUiAnswer(step)], resume })
      expect(first.text).to.include(`"pendingToolCallIds":["${step.weather}"]`)
      assertOk(await agUi({ messages: [agUiAsked, agUiAnswer(step), toolMessage(step)] }))
      expect(await told()).to.deep.equal(['both', '42', 'sunny', 'All is done.'])
    })

    it('by one of two people, the client, and the other one', async () => {
      const step = await begin('three')
      const [first, second] = step.approvals
      assertOk(await approve(first))
      assertOk(await chat(await answered(withResult(step))))
      expect(await statusOf(step)).to.equal('suspended')
      assertOk(await approve(second, false))
      await end(step)
      expect(await told()).to.deep.equal([
        'three',
        'sunny',
        '42',
        'The call was not approved.',
        'All is done.',
      ])
    })

    it('by the client together with one of two people, and then by the other one', async () => {
      const step = await begin('three')
      const [first = '', second] = step.approvals
      const both = (part: PagePart) => withResult(step)(part) ?? withVerdicts(true, [first])(part)
      const partial = await chat(await answered(both))
      expect(partial.text).to.include(second).and.not.include(first)
      expect(await statusOf(step)).to.equal('suspended')
      assertOk(await approve(second))
      await end(step)
      expect(await told()).to.deep.equal(['three', 'sunny', '42', '42', 'All is done.'])
    })

    it('by the answer to a question together with the client', async () => {
      const step = await begin('asking')
      const both = (part: PagePart) =>
        part.toolName === 'ask_user'
          ? { state: 'output-available', output: 'blue' }
          : withResult(step)(part)
      assertOk(await chat(await answered(both)))
      expect(await told()).to.deep.equal(['asking', 'sunny', 'blue', 'All is done.'])
    })
  })

  it('is shown to a page that reads the run anew with the result after its call', async () => {
    const step = await begin()
    assertOk(await chat(await answered(withResult(step))))
    assertOk(await approve(step.approvals[0]))
    await end(step)
    const { text } = await served.ask(`/api/chat/talk/stream?sdk=6&run=${step.runId}`)
    const called = text.indexOf(`"tool-input-available","toolCallId":"${step.weather}"`)
    const result = text.indexOf(`"tool-output-available","toolCallId":"${step.weather}"`)
    expect([called > 0, result > called], text).to.deep.equal([true, true])
  })

  it('is asked about again where the run failed that had all answers', async () => {
    const step = await begin()
    assertOk(await approve(step.approvals[0]))
    await end(step)
    const part = { type: 'tool-result', callId: step.weather, name: 'weather', output: 'sunny' }
    const message = { role: 'tool', parts: [part] } as const
    const entries = [{ kind: 'message', id: 'given', message }] as never
    await storage.conversations.append('ada', 'talk', { entries }, Date.now())
    assertOk(await chat(await answered(() => undefined)))
    expect((await told()).at(-1)).to.equal('All is done.')
  })

  it('ends with a new message, whatever of it is open', async () => {
    const step = await begin()
    assertOk(await chat(await answered(withResult(step))))
    assertOk(await chat([user('u1', 'both'), user('u2', 'never mind')]))
    expect((await told()).at(-1)).to.equal('All is done.')
    expect(await statusOf(step)).to.equal('aborted')
    expect((await approve(step.approvals[0])).status).to.equal(410)
  })
})

interface PagePart {
  readonly type: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly state?: string
  readonly output?: unknown
  readonly approval?: { readonly id: string; readonly approved?: boolean }
}

interface PageMessage {
  readonly parts: readonly PagePart[]
}
