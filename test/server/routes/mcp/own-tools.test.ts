import { expect } from 'chai'
import scripted from '../../../../providers/scripted/index.ts'
import { memoryStorage } from '../../../../src/agent/memory-storage/index.ts'
import type { Message } from '../../../../src/plugin/index.ts'
import calculator from '../../../../tools/calculator/index.ts'
import { sampledIt } from '../../../helpers/cases.ts'
import { SERVED } from '../../clients/scripts.ts'
import { Served } from '../served.ts'
import { connectMcp, ERAS, type Form, textOf } from './mcp-client.ts'
import { IMAGE, MEASURED, Workshop } from './workshop.ts'

for (const [at, era] of ERAS.entries()) {
  describe(`the tools of an agent by MCP (${era})`, () => {
    const test = sampledIt(2, at)
    const storage = memoryStorage()
    let workshop: Workshop
    let served: Served
    before(async () => {
      workshop = new Workshop()
      const { server: _, plugins: _plugins, ...config } = SERVED
      const tool_policy = { remove: 'ask', secret: 'deny', shop__secret: 'deny' } as const
      const models = { quick: {}, tools: { config: { tool_policy } } }
      const options = { storage, models, mcpTools: 'tools', cancelAfter: 20 }
      const plugins = [scripted, calculator, workshop.plugin]
      served = await Served.start(options, { plugins, config })
    })
    beforeEach(() => workshop.ran.splice(0))
    after(() => served.close())

    const connect = (options: object = {}) => connectMcp(served, { era, ...options })

    test('are listed after the agents, with what is known of them, and without denied ones', async () => {
      await using client = await connect()
      const { tools } = await client.listTools()
      const names = tools.map(({ name }) => name)
      expect(names.slice(0, 4)).to.deep.equal(['quick', 'tools', 'calculate', 'remove'])
      expect(names).not.to.include('secret')
      expect(names.filter((name) => /^quick_[0-9a-f]{8}$/.test(name))).to.have.length(1)
      const [remove, measure] = ['remove', 'measure'].map((one) =>
        tools.find(({ name }) => name === one),
      )
      expect(remove?.annotations).to.deep.equal({ destructiveHint: true, idempotentHint: true })
      expect(remove?.description).to.equal('The tool remove.')
      expect(measure?.outputSchema).to.deep.equal(MEASURED)
    })

    test('run for a call, which is a stored run of one call', async () => {
      await using client = await connect()
      const result = await client.callTool({
        name: 'calculate',
        arguments: { expression: '6 * 7' },
      })
      expect(result.structuredContent).to.deep.include({ result: '42' })
      expect(JSON.parse(textOf(result))).to.deep.equal(result.structuredContent)
      const runId = String(result._meta?.['braidwork/run'])
      const run = await storage.runs.load('ada', runId)
      expect(run).to.include({ status: 'done' })
      const history: Message[] = []
      const conversation = String(result._meta?.['braidwork/conversation'])
      for (const entry of await storage.conversations.history('ada', conversation)) {
        if (entry.kind === 'message') history.push(entry.message)
      }
      expect(history.map(({ parts }) => parts.map(({ type }) => type))).to.deep.equal([
        ['tool-call'],
        ['tool-result'],
      ])
    })

    test('give pictures, links and errors as such, and nothing in place of a long result', async () => {
      await using client = await connect()
      const drawn = await client.callTool({ name: 'draw', arguments: {} })
      expect(drawn.content).to.deep.equal([
        { type: 'text', text: 'A drawing' },
        { type: 'image', data: IMAGE, mimeType: 'image/png' },
        { type: 'resource_link', uri: 'https://example.org/drawing', name: 'The drawing' },
      ])
      const broken = await client.callTool({ name: 'break', arguments: {} })
      expect([broken.isError, textOf(broken)]).to.deep.equal([true, 'It broke.'])
      const long = await client.callTool({ name: 'long', arguments: {} })
      expect(textOf(long)).to.have.length(200_000)
    })

    test('have structured content that fits their schema, or an error', async () => {
      await using client = await connect()
      const fits = await client.callTool({ name: 'measure', arguments: {} })
      expect(fits.structuredContent).to.deep.equal({ length: 3 })
      const odd = await client.callTool({ name: 'measure', arguments: { path: 'odd' } })
      expect(odd.isError).to.equal(true)
      expect(textOf(odd)).to.include('does not fit the output schema')
    })

    test('have their blocks as structured content, where their schema describes blocks', async () => {
      await using client = await connect()
      const { structuredContent, content } = await client.callTool({ name: 'scan', arguments: {} })
      expect(content).to.deep.equal([{ type: 'image', data: IMAGE, mimeType: 'image/png' }])
      expect(structuredContent).to.deep.equal({ content })
    })

    test('refuse arguments that their schema does not allow', async () => {
      await using client = await connect()
      const result = await client.callTool({ name: 'draw', arguments: { path: 7 } })
      expect([result.isError, workshop.ran]).to.deep.equal([true, []])
      expect(textOf(result)).to.include('path')
    })

    test('tell progress with numbers that grow', async () => {
      await using client = await connect()
      const told: object[] = []
      const onprogress = (one: object) => void told.push(one)
      const result = await client.callTool({ name: 'count', arguments: {} }, { onprogress })
      expect(textOf(result)).to.equal('counted')
      expect(told.map((one) => ({ ...one }))).to.deep.equal([
        { progress: 1, total: 3, message: 'one' },
        { progress: 2, total: 3 },
        { progress: 3, message: 'nearly' },
        { progress: 4, message: 'counted' },
      ])
    })

    test('stop when their call is cancelled', async () => {
      await using client = await connect()
      const cancel = new AbortController()
      const options = { signal: cancel.signal, onprogress: () => cancel.abort() }
      const call = client.callTool({ name: 'wait', arguments: {} }, options)
      await call.then(
        () => expect.fail('The call has ended.'),
        () => undefined,
      )
      while (served.activeRuns > 0) await new Promise(setImmediate)
    })

    test('ask a person whether they may run', async () => {
      const forms: Form[] = []
      for (const approve of [false, true]) {
        const answer = (form: Form) => {
          forms.push(form)
          return { action: 'accept', content: { approve } }
        }
        await using client = await connect({ answer })
        const result = await client.callTool({ name: 'remove', arguments: { path: 'a' } })
        expect(result.isError ?? false).to.equal(!approve)
        expect(workshop.ran).to.deep.equal(approve ? ['remove'] : [])
      }
      expect(forms.map(({ message }) => message)).to.deep.equal(
        Array(2).fill('May the tool "remove" be run with {"path":"a"}?'),
      )
    })

    test('are denied where a client cannot ask', async () => {
      await using client = await connect()
      const result = await client.callTool({ name: 'remove', arguments: { path: 'a' } })
      expect([result.isError, workshop.ran]).to.deep.equal([true, []])
      expect(textOf(result)).to.include('Nobody could be asked')
    })

    test('ask a person in the middle of a call', async () => {
      await using client = await connect({
        answer: () => ({ action: 'accept', content: { answer: 4 } }),
      })
      const result = await client.callTool({ name: 'survey', arguments: {} })
      expect(textOf(result)).to.equal('You said 4')
    })

    test('say why they are not there, where their server is away', async () => {
      await using client = await connect()
      for (const [name, reason] of Object.entries({
        shop__sell: 'The server is away.',
        gone__sell: 'The server is away.',
        shop__broken: 'The tool "shop__broken" is not available: its schema is broken.',
      })) {
        const result = await client.callTool({ name, arguments: {} })
        expect([result.isError, textOf(result)]).to.deep.equal([true, reason])
      }
      for (const name of ['shop__buy', 'shop__secret', 'gone']) {
        const call = client.callTool({ name, arguments: {} })
        const error = await call.catch((thrown: unknown) => thrown)
        expect(error, name).to.include({ code: -32602 })
      }
    })

    test('are denied by a policy even if their name is known', async () => {
      await using client = await connect()
      const error = await client
        .callTool({ name: 'secret', arguments: {} })
        .catch((thrown: unknown) => thrown)
      expect(error).to.include({ code: -32602 })
      expect(workshop.ran).to.deep.equal([])
    })
  })
}

describe('the tools of an agent by MCP', () => {
  const { server: _, plugins: _plugins, ...config } = SERVED
  const plugins = [scripted, calculator]
  const models = { quick: {}, tools: {} }

  async function namesFor(options: object): Promise<readonly string[]> {
    const served = await Served.start({ models, ...options }, { plugins, config })
    try {
      await using client = await connectMcp(served, { era: 'auto' })
      const { tools } = await client.listTools()
      return tools.map(({ name }) => name)
    } finally {
      await served.close()
    }
  }

  const callers = (more: object) => ({
    mcpTools: 'tools',
    authenticate: () => ({ id: 'ada', role: 'user' as const, ...more }),
  })

  it('are not offered unless the config says so', async () => {
    expect(await namesFor({})).to.deep.equal(['quick', 'tools'])
  })

  it('are not offered to callers who may not use the agent, or no tools of the host', async () => {
    expect(await namesFor(callers({}))).to.deep.equal(['quick', 'tools', 'calculate'])
    expect(await namesFor(callers({ models: ['quick'] }))).to.deep.equal(['quick'])
    expect(await namesFor(callers({ host_tools: 'none' }))).to.deep.equal(['quick', 'tools'])
  })

  it('must be those of an agent that the server publishes', async () => {
    const error = await namesFor({ mcpTools: 'nobody' }).catch((thrown: unknown) => thrown)
    expect(error).to.include({ code: 'OPTION_INVALID', pointer: '/mcpTools' })
  })

  it('count towards the limits of their caller', async () => {
    const served = await Served.start(
      { models, mcpTools: 'tools', limits: { requests_per_minute: 6 } },
      { plugins, config },
    )
    try {
      await using client = await connectMcp(served, { era: 'legacy' })
      const call = () => client.callTool({ name: 'calculate', arguments: { expression: '1' } })
      const errors: unknown[] = []
      for (let at = 0; at < 8; at++) await call().catch((error: unknown) => errors.push(error))
      expect(errors.length).to.be.greaterThan(0)
      expect(String(errors[0])).to.include('TOO_MANY_REQUESTS')
    } finally {
      await served.close()
    }
  })
})
