import { expect } from 'chai'
import scripted from '../../../../providers/scripted/index.ts'
import { memoryStorage } from '../../../../src/agent/memory-storage/index.ts'
import askUser from '../../../../tools/ask-user/index.ts'
import calculator from '../../../../tools/calculator/index.ts'
import { sampledIt } from '../../../helpers/cases.ts'
import { Served } from '../served.ts'
import { connectMcp, ERAS, type Form, textOf } from './mcp-client.ts'

const IT_IS = 'It is {"expression":"6 * 7","result":"42","exact":true}.'

for (const [at, era] of ERAS.entries()) {
  describe(`agents as tools of MCP (${era})`, () => {
    const test = sampledIt(2, at)
    const storage = memoryStorage()
    let served: Served
    before(async () => {
      served = await Served.start({ storage, cancelAfter: 20 })
    })
    after(() => served.close())

    const connect = (options: object = {}) => connectMcp(served, { era, ...options })

    test('are listed with what they are called with, without plain variants', async () => {
      await using client = await connect()
      const { tools } = await client.listTools()
      expect(tools.map(({ name, title }) => [name, title])).to.deep.equal([
        ['quick', 'Quick'],
        ['slow', undefined],
        ['careful', undefined],
      ])
      expect(tools[0]?.inputSchema.required).to.deep.equal(['message'])
    })

    test('answer with the last text, and go on with a conversation', async () => {
      await using client = await connect()
      const ask = (message: string) =>
        client.callTool({ name: 'quick', arguments: { message, conversation: `talk-${era}` } })
      const first = await ask('calculate')
      expect(textOf(first)).to.equal(IT_IS)
      expect(first.isError).to.equal(undefined)
      expect(first._meta).to.include({ 'braidwork/conversation': `talk-${era}` })
      expect(textOf(await ask('hello'))).to.equal('You said: hello')
      const history = await served.history(`talk-${era}`)
      expect(history.map(({ role }) => role)).to.deep.equal([
        'user',
        'assistant',
        'user',
        'assistant',
      ])
    })

    test('tell how far they are, if the client asks', async () => {
      await using client = await connect()
      const told: string[] = []
      const steps: number[] = []
      await client.callTool(
        { name: 'quick', arguments: { message: 'calculate' } },
        {
          onprogress: ({ progress, message }) => {
            steps.push(progress)
            told.push(String(message))
          },
        },
      )
      expect(told).to.include.members(['Step 1', 'The agent calls "calculate"', 'Step 2'])
      expect(steps).to.deep.equal(steps.toSorted((left, right) => left - right))
    })

    test('stop when their call is cancelled', async () => {
      await using client = await connect()
      const cancel = new AbortController()
      const conversation = `cancelled-${era}`
      const call = client.callTool(
        { name: 'slow', arguments: { message: 'count', conversation } },
        { signal: cancel.signal, onprogress: () => cancel.abort() },
      )
      await call.then(
        () => expect.fail('The call has ended.'),
        () => undefined,
      )
      while (served.activeRuns > 0) await new Promise(setImmediate)
      const [run] = await storage.runs.list('ada', conversation)
      expect(run?.status).to.equal('aborted')
    })

    test('ask a person whether a call may run', async () => {
      const forms: Form[] = []
      const answer = (form: Form) => {
        forms.push(form)
        return { action: 'accept', content: { approve: true } }
      }
      await using client = await connect({ answer })
      const result = await client.callTool({ name: 'careful', arguments: { message: 'calculate' } })
      expect(textOf(result)).to.equal(IT_IS)
      expect(forms.map(({ message }) => message)).to.deep.equal([
        'May the tool "calculate" be run with {"expression":"6 * 7"}?',
      ])
    })

    test('ask again where a form of a permission comes back without an answer', async () => {
      const forms: Form[] = []
      const answer = (form: Form) => {
        forms.push(form)
        return { action: 'accept', content: forms.length < 3 ? {} : { approve: true } }
      }
      await using client = await connect({ answer })
      const result = await client.callTool({ name: 'careful', arguments: { message: 'calculate' } })
      expect(textOf(result)).to.equal(IT_IS)
      expect(forms).to.have.length(3)
      expect(forms.at(-1)?.message).to.match(/"approve".*\nMay the tool/s)
    })

    test('go on without a call that a person declines', async () => {
      for (const given of [
        { action: 'decline' },
        { action: 'cancel' },
        { action: 'accept', content: { approve: false } },
      ]) {
        await using client = await connect({ answer: () => given })
        const { content } = await client.callTool({
          name: 'careful',
          arguments: { message: 'calculate' },
        })
        expect(textOf({ content })).to.match(
          /^It is .*not.*approved|^It is .*(refused|denied|declined)/i,
        )
      }
    })

    test('are denied what a client cannot ask a person', async () => {
      await using client = await connect()
      const result = await client.callTool({ name: 'careful', arguments: { message: 'calculate' } })
      expect(textOf(result)).to.include('Nobody could be asked')
    })

    test('fail with the message that other wires show', async () => {
      await using client = await connect()
      const result = await client.callTool({ name: 'quick', arguments: { message: 'overload' } })
      expect(result.isError).to.equal(true)
      expect(textOf(result)).to.equal('The model API is overloaded.')
      expect(result._meta).to.include({ code: 'OVERLOADED' })
    })

    test('refuse arguments that do not fit, with what to do', async () => {
      await using client = await connect()
      for (const [given, text] of [
        [{}, '"message" is missing; give a string.'],
        [{ message: 7 }, '"message" must be a string, not 7.'],
        [
          { message: 'hello', agent: 'slow' },
          'The tool has no argument "agent". Give "message" and, to go on with a conversation, "conversation".',
        ],
      ] as const) {
        const result = await client.callTool({ name: 'quick', arguments: given })
        expect([result.isError, textOf(result)]).to.deep.equal([true, text])
      }
    })

    test('are known only by their names', async () => {
      await using client = await connect()
      for (const name of ['nobody', 'quick-plain', '']) {
        const error = await client
          .callTool({ name, arguments: { message: 'hello' } })
          .catch((thrown: unknown) => thrown)
        expect(error).to.include({ code: -32602 })
      }
    })
  })
}

describe('questions of agents by MCP', () => {
  const script = [
    {
      when: { text: 'simple', step: 1 },
      then: {
        tool_calls: [{ name: 'ask_user', input: { question: 'Which?', options: ['a', 'b'] } }],
      },
    },
    {
      when: { step: 1 },
      then: {
        tool_calls: [
          {
            name: 'ask_user',
            input: {
              question: 'How many?',
              schema:
                '{"type":"object","properties":{"count":{"type":"integer","minimum":1}},"required":["count"]}',
            },
          },
        ],
      },
    },
    { then: { text: 'Answered: {{result.ask_user}}' } },
  ]
  const config = {
    provider: 'scripted',
    enabled_plugins: ['ask-user'],
    settings: { scripted: { script, delay_ms: 0 } },
  }

  for (const era of ERAS) {
    it(`are declined after five answers that do not fit, and nothing waits any more (${era})`, async () => {
      const served = await Served.start(
        { models: { asking: {} } },
        { plugins: [scripted, calculator, askUser], config },
      )
      try {
        const forms: Form[] = []
        const answer = (form: Form) => {
          forms.push(form)
          return { action: 'accept', content: {} }
        }
        await using client = await connectMcp(served, { era, answer })
        const call = { name: 'asking', arguments: { message: 'object', conversation: 'unfit' } }
        const result = await client.callTool(call)
        expect(textOf(result)).to.match(/^Answered: .*No answer fitted the question in 5 tries/)
        expect(forms).to.have.length(5)
        expect(forms.at(-1)?.message).to.match(/count.*\nHow many\?$/s)
        const { text } = await served.ask('/api/conversations/unfit')
        expect(text).to.not.include('suspended')
        const next = { name: 'asking', arguments: { message: 'simple', conversation: 'unfit' } }
        forms.splice(0)
        await client.callTool(next)
        expect(forms[0]?.message).to.equal('Which?')
      } finally {
        await served.close()
      }
    })

    it(`are forms with fields, and are asked again until the answer fits (${era})`, async () => {
      const served = await Served.start(
        { models: { asking: {} } },
        { plugins: [scripted, calculator, askUser], config },
      )
      try {
        const forms: Form[] = []
        const answers = [{ count: 0 }, { count: 3 }]
        const answer = (form: Form) => {
          forms.push(form)
          const content = form.message.startsWith('Which') ? { answer: 'b' } : answers.shift()
          return { action: 'accept', content }
        }
        await using client = await connectMcp(served, { era, answer })
        const ask = (message: string) => client.callTool({ name: 'asking', arguments: { message } })
        expect(textOf(await ask('simple'))).to.equal('Answered: {"answer":"b"}')
        expect(textOf(await ask('object'))).to.include('"count":3')
        expect(forms.map(({ message }) => message.split('\n').at(-1))).to.deep.equal([
          'Which?',
          'How many?',
          'How many?',
        ])
        expect(forms[0]?.requestedSchema).to.deep.equal({
          type: 'object',
          properties: { answer: { type: 'string', enum: ['a', 'b'] } },
          required: ['answer'],
        })
      } finally {
        await served.close()
      }
    })
  }
})
