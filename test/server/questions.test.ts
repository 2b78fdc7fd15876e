import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { RunEvent } from '../../src/plugin/events/index.ts'
import askUser from '../../tools/ask-user/index.ts'
import calculator from '../../tools/calculator/index.ts'
import { chatBody, Served, type ShownMessage, user } from './routes/served.ts'

const OPTIONS = { question: 'Which color?', options: ['red', 'blue'] }
const NUMBER = { question: 'How many?', schema: '{"type":"integer","minimum":1}' }
const ASKING = [OPTIONS, NUMBER].map((input) => ({ name: 'ask_user', input }))
const SCRIPT = [
  { when: { text: 'paint', step: 1 }, then: { tool_calls: ASKING } },
  { then: { text: 'Painted.' } },
]
const settings = { scripted: { script: SCRIPT, delay_ms: 0 } }
const config = { enabled_plugins: ['ask-user'], settings }

interface Part {
  readonly type: string
  readonly toolName?: string
  readonly toolCallId?: string
  readonly state?: string
}
type UiMessage = Omit<ShownMessage, 'parts'> & { readonly parts: readonly Part[] }

describe('questions of a model, on a server', () => {
  const storage = memoryStorage()
  let served: Served
  let id: string
  let count = 0

  before(async () => {
    const tool_policy = { calculate: 'ask' } as const
    const careful = { settings: { scripted: { delay_ms: 0 } }, tool_policy }
    const models = { quick: { config }, careful: { config: careful } }
    const plugins = [scripted, calculator, askUser]
    served = await Served.start({ storage, models }, { plugins, config: {} })
  })
  after(() => served.close())
  beforeEach(() => {
    id = `talk-${++count}`
  })

  /** Asks for two questions. Returns the run, its approvals, and the text of the response. */
  async function begin(
    path = '/api/chat?sdk=6',
    body: object = chatBody(id, [user('q', 'paint')]),
  ) {
    const { text, headers, status } = await served.ask(path, { body })
    expect(status, text).to.equal(200)
    const runId = headers.get('x-run-id') ?? ''
    const approvals = await storage.approvals.list('ada', runId)
    return { text, runId, ids: approvals.map((approval) => approval.id) }
  }

  async function eventsOf(runId: string): Promise<readonly RunEvent[]> {
    const { text } = await served.ask(`/runs/${runId}/events`)
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(String(data)))
  }

  async function outputsOf(runId: string): Promise<readonly unknown[]> {
    return (await eventsOf(runId)).flatMap((event) =>
      event.type === 'tool-execution-end' ? [event.result.output] : [],
    )
  }

  const history = async () => (await served.history(id)) as readonly UiMessage[]

  it('CT-31 are answered by POST /approvals/{id}, and the run goes on', async () => {
    const { runId, ids } = await begin()
    const [first] = ids
    const wrong = await served.ask(`/approvals/${first}`, { body: { answer: 'green' } })
    expect([wrong.status, wrong.json['error']?.['message']]).to.deep.equal([
      400,
      'The answer does not fit the question. It must be one of "red", "blue".',
    ])
    const none = await served.ask(`/approvals/${first}`, { body: { approved: true } })
    expect(none.status).to.equal(400)
    expect((await served.ask(`/approvals/${first}`, { body: { answer: 'blue' } })).status).to.equal(
      200,
    )
    const declined = { approved: false, reason: 'No idea.' }
    const { status, json } = await served.ask(`/approvals/${ids[1]}`, { body: declined })
    expect([status, json['runId']]).to.deep.equal([200, runId])
    expect(await outputsOf(runId)).to.deep.equal([
      { answer: 'blue' },
      'The question was not answered. No idea.',
    ])
    const asked = (await eventsOf(runId)).filter(({ type }) => type === 'approval-required')
    expect(asked.map((event) => 'isQuestion' in event && event.isQuestion)).to.eql([true, true])
  })

  for (const sdk of [5, 6, 7]) {
    it(`CT-31 are calls that a page of the AI SDK ${sdk} gives an output`, async () => {
      const { text, runId } = await begin(`/api/chat?sdk=${sdk}`)
      expect(text).to.include('"type":"tool-input-available"')
      expect(text).not.to.match(/tool-approval-request|data-approval|tool-output/)
      const messages = await history()
      const last = messages.at(-1) ?? expect.fail('no answer')
      const asked = last.parts.filter(({ type }) => type === 'dynamic-tool')
      expect(asked.map(({ toolName, state }) => [toolName, state])).to.deep.equal([
        ['ask_user', 'input-available'],
        ['ask_user', 'input-available'],
      ])
      const outputs = ['red', { answer: 3 }]
      const parts = last.parts.map((part) =>
        asked.includes(part)
          ? { ...part, state: 'output-available', output: outputs[asked.indexOf(part)] }
          : part,
      )
      const body = chatBody(id, [...messages.slice(0, -1), { ...last, parts }])
      const next = await served.ask(`/api/chat?sdk=${sdk}`, { body })
      expect(next.text).to.include('Painted.')
      expect(await outputsOf(runId)).to.deep.equal([{ answer: 'red' }, { answer: 3 }])
      const after = (await history()).at(-1)?.parts.filter(({ type }) => type === 'dynamic-tool')
      expect(after?.map(({ state }) => state)).to.deep.equal([
        'output-available',
        'output-available',
      ])
    })
  }

  it('CT-31 may be declined by such a page, and an answer that does not fit is refused', async () => {
    const { runId } = await begin()
    const messages = await history()
    const last = messages.at(-1) ?? expect.fail('no answer')
    const answered = (outputs: readonly object[]) => {
      let at = 0
      const parts = last.parts.map((part) =>
        part.type === 'dynamic-tool' ? { ...part, ...outputs[at++] } : part,
      )
      return served.ask('/api/chat?sdk=6', {
        body: chatBody(id, [...messages.slice(0, -1), { ...last, parts }]),
      })
    }
    const error = { state: 'output-error', errorText: 'Not now.' }
    const wrong = await answered([error, { state: 'output-available', output: 0 }])
    expect([wrong.status, wrong.text.includes('does not fit')]).to.deep.equal([400, true])
    expect(await outputsOf(runId), 'nothing is answered').to.deep.equal([])
    const next = await answered([error, { state: 'output-available', output: 1 }])
    expect(next.text).to.include('tool-output-error').and.to.include('Painted.')
    expect(await outputsOf(runId)).to.deep.equal([
      'The question was not answered. Not now.',
      { answer: 1 },
    ])
  })

  it('CT-31 are interrupts of AG-UI that need an input', async () => {
    const run = { threadId: id, runId: 'r', tools: [], context: [] }
    const messages = [{ id: 'q', role: 'user', content: 'paint' }]
    const { text, runId, ids } = await begin('/ag-ui', { ...run, messages })
    const frames = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(String(data)))
    const { outcome } = frames.find(({ type }) => type === 'RUN_FINISHED')
    expect(outcome.interrupts.map(({ expiresAt: _, ...one }: { expiresAt: string }) => one)).to.eql(
      [
        {
          id: ids[0],
          reason: 'input_required',
          message: 'Which color?',
          toolCallId: 'call_1',
          responseSchema: {
            type: 'object',
            properties: { answer: { type: 'string', enum: ['red', 'blue'] } },
            required: ['answer'],
          },
        },
        {
          id: ids[1],
          reason: 'input_required',
          message: 'How many?',
          toolCallId: 'call_2',
          responseSchema: {
            type: 'object',
            properties: { answer: { type: 'integer', minimum: 1 } },
            required: ['answer'],
          },
        },
      ],
    )
    const resume = [
      { interruptId: ids[0], status: 'cancelled' },
      { interruptId: ids[1], status: 'resolved', payload: { answer: 2 } },
    ]
    const next = await served.ask('/ag-ui', { body: { ...run, runId: 'r2', messages: [], resume } })
    expect(next.text).to.include('Painted.')
    expect(await outputsOf(runId)).to.deep.equal([
      'The question was not answered. The person declined to answer it.',
      { answer: 2 },
    ])
  })

  const STATELESS: { readonly [path: string]: object } = {
    '/v1/chat/completions': { messages: [{ role: 'user', content: 'paint' }] },
    '/v1/responses': { input: 'paint' },
    '/v1/messages': { messages: [{ role: 'user', content: 'paint' }], max_tokens: 100 },
  }
  for (const [path, body] of Object.entries(STATELESS)) {
    it(`CT-31 cannot be asked on ${path}: the model is told, and answers`, async () => {
      const { text, status } = await served.ask(path, { body: { model: 'quick', ...body } })
      expect(status, text).to.equal(200)
      expect(text).to.include('Painted.')
    })
  }

  it('take no permission for an answer, and a permission takes no answer', async () => {
    const body = chatBody(id, [user('q', 'What is 12 * 34?')], { agent: 'careful' })
    const permission = await begin('/api/chat?sdk=6', body)
    const { status, json } = await served.ask(`/approvals/${permission.ids[0]}`, {
      body: { answer: 'yes' },
    })
    expect(status).to.equal(400)
    expect(json['error']?.['message']).to.include('waits for a permission')
    id += '-2'
    const { ids } = await begin()
    const other = await served.ask(`/approvals/${ids[0]}`, { as: 'bob', body: { answer: 'red' } })
    expect(other.status).to.equal(404)
    const nothing = await served.ask(`/approvals/${ids[0]}`, { body: {} })
    expect(nothing.json['error']?.['message']).to.include('a question takes "answer"')
  })
})
