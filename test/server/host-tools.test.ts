import { expect } from 'chai'
import { tokenAuthenticator } from '../../src/server/index.ts'
import { sampledIt } from '../helpers/cases.ts'
import { eventProvider, tool } from '../helpers/plugins.ts'
import { type Asked, Served } from './routes/served.ts'

const ANSWER = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Done' },
  { type: 'text-end', id: 't' },
]
const parameters = { type: 'object', properties: { mine: { type: 'string' } } }
const messages = [{ role: 'user', content: 'hi' }]
const parts = [{ type: 'text', text: 'hi' }]
const user = { id: 'm', role: 'user' }

/** A request with the client's tools of these names, in the words of each protocol. */
const REQUESTS: { readonly [path: string]: (model: string, tools: readonly string[]) => object } = {
  '/v1/chat/completions': (model, tools) => ({
    model,
    messages,
    tools: tools.map((name) => ({ type: 'function', function: { name, parameters } })),
  }),
  '/v1/responses': (model, tools) => ({
    model,
    input: 'hi',
    tools: tools.map((name) => ({ type: 'function', name, parameters })),
  }),
  '/v1/messages': (model, tools) => ({
    model,
    max_tokens: 10,
    messages,
    tools: tools.map((name) => ({ name, input_schema: parameters })),
  }),
  '/ag-ui': (model, tools) => ({
    threadId: `${model}-${Math.random()}`,
    runId: 'r',
    messages: [{ ...user, content: 'hi' }],
    tools: tools.map((name) => ({ name, description: 'd', parameters })),
    context: [],
    state: {},
    forwardedProps: { agent: model },
  }),
  '/api/chat': (agent) => ({
    agent,
    id: `${agent}-${Math.random()}`,
    messages: [{ ...user, parts }],
  }),
}
const APIS = Object.keys(REQUESTS).filter((path) => path.startsWith('/v1/'))

interface Offered {
  readonly name: string
  readonly input_schema: object
}

describe('tools of the host beside those of a client', () => {
  let served: Served
  let offered: readonly Offered[]
  beforeEach(async () => {
    const provider = eventProvider(ANSWER, {
      tags: ['tools'],
      configSchema: { type: 'object', properties: { hosted_tools: { type: 'array' } } },
      init: ({ tools = [] }: { readonly tools?: readonly Offered[] }) => {
        offered = tools
        return {}
      },
    })
    const plugins = [provider, tool('finder', { schemas: ['search', 'browse'] })]
    const config = { provider: 'p', tool_policy: { search: 'ask' as const } }
    const authenticate = tokenAuthenticator([
      { token: 'ada-0123456789abcdef', id: 'ada' },
      { token: 'bob-0123456789abcdef', id: 'bob', host_tools: 'none' },
    ])
    const models = { free: {}, bare: { host_tools: 'none' as const } }
    served = await Served.start({ models, authenticate }, { plugins, config })
  })
  afterEach(() => served.close())

  const ask = async (
    path: string,
    model: string,
    more: Asked & { readonly own?: string[] } = {},
  ) => {
    const { own = [], body = {}, ...asked } = more
    const request = { ...REQUESTS[path]?.(model, own), ...(body as object) }
    const answer = await served.ask(path, { ...asked, body: request })
    return { ...answer, names: offered.map(({ name }) => name) }
  }

  for (const [at, path] of Object.keys(REQUESTS).entries()) {
    const test = sampledIt(2, at)
    const own = path === '/api/chat' ? [] : ['mine']
    test(`are left out on ${path} where the model, the token or a header says none`, async () => {
      // The protocols below /v1 cannot ask a person, so the policy denies them the tool.
      const hosts = APIS.includes(path) ? ['browse'] : ['search', 'browse']
      expect((await ask(path, 'free', { own })).names).to.deep.equal([...hosts, ...own])
      expect((await ask(path, 'bare', { own })).names).to.deep.equal(own)
      expect((await ask(path, 'free', { own, as: 'bob' })).names).to.deep.equal(own)
      const headers = { 'x-braidwork-host-tools': 'none' }
      expect((await ask(path, 'free', { own, headers })).names).to.deep.equal(own)
    })

    test(`are not given back on ${path} by a request that wants more than it may have`, async () => {
      const headers = { 'x-braidwork-host-tools': 'all' }
      const { status, text } = await ask(path, 'bare', { headers })
      expect(status).to.equal(400)
      expect(text).to.include('x-braidwork-host-tools')
    })
  }

  for (const [at, path] of APIS.entries()) {
    const test = sampledIt(2, at)
    test(`are left out on ${path} where a field says none, and another field is refused`, async () => {
      const none = { body: { braidwork: { host_tools: 'none' } } }
      const { names, headers } = await ask(path, 'free', { own: ['mine'], ...none })
      expect(names).to.deep.equal(['mine'])
      expect(headers.get('x-braidwork-ignored')).to.equal(null)
      for (const braidwork of [{ host_tools: 'all' }, { tools: 'none' }, 'none']) {
        const { status, text } = await ask(path, 'free', { body: { braidwork } })
        expect(status, JSON.stringify(braidwork)).to.equal(400)
        expect(text).to.include('braidwork')
      }
    })

    test(`give way on ${path} to a tool of the client with the same name, which is told`, async () => {
      const { names, headers } = await ask(path, 'free', { own: ['browse', 'mine'] })
      expect(names).to.deep.equal(['browse', 'mine'])
      expect(offered[0]?.input_schema).to.deep.equal(parameters)
      expect(headers.get('x-braidwork-replaced-tools')).to.equal('browse')
      const alone = await ask(path, 'free', { own: ['mine'] })
      expect(alone.headers.get('x-braidwork-replaced-tools')).to.equal(null)
    })

    test(`have no say on ${path} by their policy in what the client does with its own tool`, async () => {
      expect((await ask(path, 'free', { own: ['search'] })).names).to.deep.equal([
        'browse',
        'search',
      ])
    })
  }

  it('give way to tools of a chat page as well', async () => {
    const { status, names } = await ask('/ag-ui', 'free', { own: ['browse', 'search'] })
    expect(status).to.equal(200)
    expect(names).to.deep.equal(['browse', 'search'])
  })

  it('are shown as the caller is offered them', async () => {
    const toolsAt = async (query: string, as: 'ada' | 'bob') => {
      const { text } = await served.ask(`/api/tools?${query}`, { as })
      return (JSON.parse(text) as { tools: readonly Offered[] }).tools.map(({ name }) => name)
    }
    expect(await toolsAt('agent=free', 'ada')).to.deep.equal(['search', 'browse'])
    expect(await toolsAt('agent=bare', 'ada')).to.deep.equal([])
    expect(await toolsAt('agent=free', 'bob')).to.deep.equal([])
  })
})
