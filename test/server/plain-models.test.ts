import { expect } from 'chai'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { eventProvider, tool } from '../helpers/plugins.ts'
import { Served } from './routes/served.ts'

const ANSWER = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'A title' },
  { type: 'text-end', id: 't' },
]

const parameters = { type: 'object', properties: {} }
const messages = [{ role: 'user', content: 'hi' }]
const parts = [{ type: 'text', text: 'hi' }]

/** A request with tools, in the words of each protocol. */
const REQUESTS: { readonly [path: string]: (model: string) => object } = {
  '/v1/chat/completions': (model) => ({
    model,
    messages,
    tools: [{ type: 'function', function: { name: 'mine', parameters } }],
    tool_choice: 'required',
    parallel_tool_calls: true,
  }),
  '/v1/responses': (model) => ({
    model,
    input: 'hi',
    tools: [{ type: 'function', name: 'mine', parameters }],
    tool_choice: 'required',
  }),
  '/v1/messages': (model) => ({
    model,
    max_tokens: 10,
    messages,
    tools: [{ name: 'mine', input_schema: parameters }],
    tool_choice: { type: 'any' },
  }),
  '/api/chat': (model) => ({ agent: model, id: 'c', messages: [{ id: 'm', role: 'user', parts }] }),
  '/ag-ui': (model) => ({
    threadId: 't',
    runId: 'r',
    messages: [{ id: 'm', role: 'user', content: 'hi' }],
    tools: [{ name: 'mine', description: 'd', parameters }],
    context: [],
    state: {},
    forwardedProps: { agent: model },
  }),
}

/** A config, as a provider has it. */
interface Asked {
  readonly tools?: readonly { readonly name: string }[]
  readonly settings?: { readonly p?: { readonly hosted_tools?: readonly unknown[] } }
}

describe('a plain model', () => {
  let served: Served
  /** The configs that the provider was asked with. */
  let asked: Asked[]

  const storage = memoryStorage()

  beforeEach(async () => {
    asked = []
    const provider = eventProvider(ANSWER, {
      tags: ['tools'],
      configSchema: { type: 'object', properties: { hosted_tools: { type: 'array' } } },
      init: (config: Asked) => {
        asked.push(config)
        return {}
      },
    })
    const off = tool('off', { schemas: ['kept_off'], defaultEnabled: false })
    const plugins = [
      provider,
      tool('on', { schemas: ['search'] }),
      tool('forced', { schemas: ['always'] }),
      off,
    ]
    const config = {
      provider: 'p',
      force_enabled_plugins: ['forced'],
      settings: { p: { hosted_tools: ['web_search'] } },
    }
    served = await Served.start({ storage, models: { writer: {} } }, { plugins, config })
  })
  afterEach(() => served.close())

  const namesAt = async (path: string): Promise<readonly string[]> => {
    const { tools } = JSON.parse((await served.ask(path)).text) as { tools: { name: string }[] }
    return tools.map(({ name }) => name)
  }

  it('offers no tool, also none that is forced or that somebody turned on for himself', async () => {
    await storage.settings.save('ada', { enabled_plugins: { add: ['off'] } }, 0)
    expect(await namesAt('/api/tools?agent=writer')).to.include.members(['search', 'always'])
    expect(await namesAt('/api/tools?agent=writer-plain')).to.deep.equal([])
  })

  it('says that it ignored tools only to a client that sent some', async () => {
    const body = { model: 'writer-plain', messages }
    const { headers } = await served.ask('/v1/chat/completions', { body })
    expect(headers.get('x-braidwork-ignored') ?? '').to.not.include('tools')
  })

  for (const [path, bodyFor] of Object.entries(REQUESTS)) {
    it(`is asked without tools on ${path}, whatever the request and the settings say`, async () => {
      const own = { enabled_plugins: ['off', 'on'], force_enabled_plugins: ['off'] }
      const settings = { p: { hosted_tools: ['code_execution'] } }
      await storage.settings.save('ada', { ...own, settings }, 0)
      for (const [model, hasTools] of [
        ['writer', true],
        ['writer-plain', false],
      ] as const) {
        asked = []
        const { status, text, headers } = await served.ask(path, {
          body: { ...bodyFor(model), ...(path === '/api/chat' ? { id: model } : {}) },
        })
        expect(status, text).to.equal(200)
        expect(text).to.include('A title')
        const tools = asked.flatMap((one) => one.tools ?? []).map(({ name }) => name)
        const hosted = asked.flatMap((one) => one.settings?.p?.hosted_tools ?? [])
        expect(tools.length > 0, tools.join()).to.equal(hasTools)
        expect(hosted.length > 0, hosted.join()).to.equal(hasTools)
        const ignored = headers.get('x-braidwork-ignored') ?? ''
        if (path !== '/api/chat') expect(/\btools\b/.test(ignored), ignored).to.equal(!hasTools)
      }
    })
  }
})
