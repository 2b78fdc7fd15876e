import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { a2aBackend } from '../../src/a2a/index.ts'
import {
  type AgentEndpoint,
  type AgentRuntime,
  createRuntime,
  type RunOptions,
  runtimeBuilder,
} from '../../src/agent/index.ts'
import { HostError, type Message, type RunEvent } from '../../src/plugin/index.ts'
import { tokenAuthenticator } from '../../src/server/index.ts'
import { scriptedHost } from '../helpers/hosts.ts'
import { COUNTED } from '../server/clients/scripts.ts'
import { type SocketServer, socketServer } from '../server/clients/socket-server.ts'
import { until } from '../server/load/local-server.ts'
import { Served } from '../server/routes/served.ts'
import { type Answer, cardAt, RemoteServer } from './remote-server.ts'

const TOKEN = 'ada-0123456789abcdef'
const OF_MONITOR = 'monitor-0123456789abcdef'
const TOKENS = [
  { token: TOKEN, id: 'ada' },
  { token: OF_MONITOR, id: 'monitor', role: 'monitor' },
] as const
const IT_IS = 'It is {"expression":"6 * 7","result":"42","exact":true}.'
const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })
const textOf = (messages: readonly Message[]) =>
  messages
    .flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')))
    .join('')

describe('a remote agent by A2A', () => {
  const closing: (() => Promise<void>)[] = []
  let far: SocketServer
  before(async () => {
    far = await socketServer({ authenticate: tokenAuthenticator(TOKENS) })
  })
  after(() => far.close())
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })

  const endpointOf = (agent: string, more: Partial<AgentEndpoint> = {}): AgentEndpoint => ({
    backend: 'a2a',
    base_url: `${far.url}/a2a/${agent}`,
    auth: { type: 'bearer', token: TOKEN },
    ...more,
    options: { allow_private: true, ...more.options },
  })

  async function runtimeOf(endpoint: AgentEndpoint): Promise<AgentRuntime> {
    const host = await scriptedHost()
    closing.push(() => host.close())
    return createRuntime({ host, agents: [{ id: 'far', endpoint }], backends: [a2aBackend()] })
  }

  async function ran(endpoint: AgentEndpoint, options: RunOptions) {
    return (await (await runtimeOf(endpoint)).run('far', options)).result
  }

  for (const binding of ['JSONRPC', 'HTTP+JSON']) {
    it(`answers in pieces, by ${binding}`, async () => {
      const runtime = await runtimeOf(endpointOf('quick', { options: { binding } }))
      const events: RunEvent[] = []
      for await (const event of await runtime.run('far', { messages: 'count' })) events.push(event)
      expect(events.filter(({ type }) => type === 'text-delta')).to.have.length.above(10)
      const finish = events.at(-1)
      expect(finish?.type === 'finish' && textOf(finish.messages)).to.equal(COUNTED)
    })
  }

  it('asks what it needs, and the next message of the conversation answers', async () => {
    const runtime = await runtimeOf(endpointOf('careful'))
    const talk: Message[] = []
    const say = async (text: string) => {
      talk.push(user(text))
      const stream = await runtime.run('far', { messages: [...talk], conversationId: 'talk' })
      const { messages, status } = await stream.result
      expect(status).to.equal('done')
      talk.push(...messages)
      return textOf(messages)
    }
    expect(await say('calculate')).to.include('May the tool "calculate" be run')
    expect(await say('yes')).to.equal(IT_IS)
    expect(await say('hello')).to.equal('You said: hello')
  })

  it('is told of what it does not have, where there is no conversation', async () => {
    const answer: Message = { role: 'assistant', parts: [{ type: 'text', text: 'One.' }] }
    const messages = [user('first'), answer, user('second')]
    const result = await ran(endpointOf('quick'), { messages })
    expect(textOf(result.messages)).to.include('User: first').and.include('Assistant: One.')
  })

  it('is cancelled there when its run is cancelled here', async () => {
    const caller = new AbortController()
    const runtime = await runtimeOf(endpointOf('slow'))
    const stream = await runtime.run('far', {
      messages: 'count',
      signal: caller.signal,
      conversationId: 'stopped',
    })
    for await (const { type } of stream) if (type === 'text-delta') caller.abort()
    const { status, messages } = await stream.result
    expect([status, COUNTED.startsWith(textOf(messages))]).to.deep.equal(['aborted', true])
    const headers = { authorization: `Bearer ${OF_MONITOR}` }
    const metrics = async () => (await fetch(`${far.url}/metrics`, { headers })).text()
    await until(async () => /^braidwork_active_runs 0$/m.test(await metrics()))
  })

  it('has a time, after which it is cancelled', async () => {
    const result = await ran(endpointOf('slow', { timeout_ms: 700 }), { messages: 'count' })
    expect(result.error).to.include({
      code: 'TIMEOUT',
      message: 'The remote agent took longer than 700 ms.',
    })
    expect(textOf(result.messages)).to.include('number 1')
  })

  it('fails with its own words, and without the token', async () => {
    const failed = await ran(endpointOf('quick'), { messages: 'overload' })
    expect(failed.error?.message).to.equal('The remote agent failed: The model API is overloaded.')
    const auth = { type: 'bearer', token: 'not-its-token' } as const
    const stranger = await ran(endpointOf('quick', { auth }), { messages: 'hello' })
    expect(stranger.error?.message).to.include('the status 401').and.not.include('not-its-token')
    const nobody = await ran(endpointOf('nobody'), { messages: 'hello' })
    expect(nobody.error?.message).to.include('the status 404')
  })

  it('is not reached at a private address, unless its endpoint says so', async () => {
    const { options: _, auth: __, ...endpoint } = endpointOf('quick')
    const error = await ran(endpoint, { messages: 'hello' }).catch((thrown: unknown) => thrown)
    expect(error).to.include({
      code: 'INVALID_REMOTE_ENDPOINT_CONFIG',
      pointer: '/endpoint/base_url',
    })
  })

  it('AW-54 is found at its address', async () => {
    const builder = () => runtimeBuilder().withProvider(scripted).withBackend(a2aBackend())
    const { backend: _, ...source } = endpointOf('quick')
    const runtime = await builder().withRemoteAgents('team', source).buildAndDiscover()
    closing.push(() => runtime.close())
    expect(runtime.agents.map(({ id }) => id)).to.deep.equal(['team/quick'])
    const { messages } = await (await runtime.run('quick', { messages: 'hello' })).result
    expect(textOf(messages)).to.equal('You said: hello')
    const { options: __, auth: ___, ...closed } = source
    const refused = builder().withRemoteAgents('team', closed).buildAndDiscover()
    const error = await refused.catch((thrown: unknown) => thrown)
    expect(HostError.is(error) && error.message).to.include('not on the public internet')
  })

  describe('that breaks its protocol', () => {
    const hostile = async (rpc: Answer, options: Partial<RunOptions> = {}) => {
      const server = await RemoteServer.start((request, response, body) => {
        if (request.method !== 'GET') return rpc(request, response, body)
        response.end(cardAt(`http://${request.headers.host}`))
      })
      closing.push(() => server.close())
      const endpoint = {
        backend: 'a2a',
        base_url: server.url,
        timeout_ms: 5000,
        options: { allow_private: true },
      }
      return ran(endpoint, { messages: 'hello', ...options })
    }
    const sse = (body: string, ...results: readonly object[]) => {
      const { id } = JSON.parse(body) as { id: unknown }
      return results
        .map((result) => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
        .join('')
    }
    const streaming =
      (write: (body: string) => string): Answer =>
      (_request, response, body) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(write(body))
      }
    const working = { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } }

    for (const [what, answer] of [
      ['no stream', (_q, response) => void response.end('hello')],
      ['an error of HTTP', (_q, response) => void response.writeHead(500).end('no')],
      [
        'a redirect',
        (_q, response) => void response.writeHead(307, { location: 'http://a.test' }).end(),
      ],
      ['JSON that is cut off', streaming(() => 'data: {"jsonrpc":\n\n')],
      [
        'the answer to another request',
        streaming(() => 'data: {"jsonrpc":"2.0","id":"x","result":{}}\n\n'),
      ],
      ['a stream that ends early', streaming((body) => sse(body, working))],
      ['an empty stream', streaming(() => '')],
      ['updates of no kind', streaming((body) => sse(body, { nothing: {} }))],
      [
        'a connection that breaks',
        (_q, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.write('data: ')
          setTimeout(() => response.destroy(), 20)
        },
      ],
    ] as readonly (readonly [string, Answer])[]) {
      it(`fails with ${what}`, async () => {
        const { status, error } = await hostile(answer)
        expect([status, error?.code]).to.deep.equal(['failed', 'REMOTE_AGENT_FAILED'])
      })
    }

    it('is told of where it replaces what it has said', async () => {
      const place = { taskId: 't', contextId: 'c' }
      const update = (...texts: readonly string[]) =>
        texts.map((one) => ({
          artifactUpdate: { ...place, artifact: { artifactId: 'a', parts: [{ text: one }] } },
        }))
      const done = { statusUpdate: { ...place, status: { state: 'TASK_STATE_COMPLETED' } } }
      const saying = (canReset: boolean, ...texts: readonly string[]) =>
        hostile(
          streaming((body) => sse(body, working, ...update(...texts), done)),
          { canReset },
        )
      const anew = await saying(true, 'Draft', 'Final')
      expect([textOf(anew.messages), anew.warnings]).to.deep.equal(['Final', []])
      const { messages, warnings } = await saying(false, 'Draft', 'Final')
      expect([textOf(messages), warnings]).to.deep.equal([
        'Draft\n\nFinal',
        ['The remote agent replaced a text that was shown already. The answer has both.'],
      ])
      expect((await saying(false, 'Hel', 'Hello')).warnings).to.deep.equal([])
    })

    it('is told to cancel a task of which it tells only after the end of the run', async () => {
      const caller = new AbortController()
      const cancelled: string[] = []
      const late: Answer = (_request, response, body) => {
        if (!body.includes('SendStreamingMessage')) {
          cancelled.push((JSON.parse(body) as { params: { id: string } }).params.id)
          return void response.end('{}')
        }
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.flushHeaders()
        caller.abort()
        // The client has taken in that its run is over, and waits for the task.
        setTimeout(() => response.write(sse(body, working)), 20)
      }
      const { status } = await hostile(late, { signal: caller.signal })
      expect(status).to.equal('aborted')
      await until(() => cancelled.length > 0)
      expect(cancelled).to.deep.equal(['t'])
    })

    it('is told nothing where it begins no task, or tells of one that has failed', async () => {
      const failedTask = { task: { ...working.task, status: { state: 'TASK_STATE_FAILED' } } }
      for (const results of [[], [failedTask]]) {
        const caller = new AbortController()
        const others: string[] = []
        const ending: Answer = (_request, response, body) => {
          if (!body.includes('SendStreamingMessage')) {
            others.push(body)
            return void response.end('{}')
          }
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.flushHeaders()
          caller.abort()
          setTimeout(() => response.end(sse(body, ...results)), 20)
        }
        const { status } = await hostile(ending, { signal: caller.signal })
        expect([status, others]).to.deep.equal(['aborted', []])
      }
    })

    it('is left when it says nothing any more', async () => {
      const silent: Answer = (_request, response, body) => {
        if (!body.includes('SendStreamingMessage')) return void response.end('{}')
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(sse(body, working))
      }
      const caller = new AbortController()
      const running = hostile(silent, { signal: caller.signal })
      setTimeout(() => caller.abort(), 200)
      expect((await running).status).to.equal('aborted')
    })
  })
})

describe('a remote agent without streams', () => {
  let server: RemoteServer
  let asked: string[]
  /** The states of the task, each for one question. The last one stays. */
  let states: string[]
  beforeEach(async () => {
    asked = []
    server = await RemoteServer.start((request, response, body) => {
      if (request.method === 'GET') {
        const capabilities = { streaming: false }
        return void response.end(cardAt(`http://${request.headers.host}`, { capabilities }))
      }
      const { id, method } = JSON.parse(body) as { id: unknown; method: string }
      asked.push(method)
      const state = (states.length > 1 ? states.shift() : states[0]) ?? ''
      const artifacts = [{ artifactId: 'a', parts: [{ text: 'It is 4.' }] }]
      const own = state === 'COMPLETED' ? { artifacts } : {}
      const status = { state: `TASK_STATE_${state}` }
      const task = { id: 't', contextId: 'c', status, ...own }
      const result = method === 'SendMessage' ? { task } : task
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
  })
  afterEach(() => server.close())

  async function ran(options: Partial<RunOptions> = {}, more: object = {}) {
    await using host = await scriptedHost()
    const far = { backend: 'a2a', base_url: server.url, options: { allow_private: true } }
    const agents = [{ id: 'far', endpoint: { ...far, ...more } }]
    const runtime = await createRuntime({ host, agents, backends: [a2aBackend()] })
    return await (await runtime.run('far', { messages: 'hello', ...options })).result
  }

  it('is asked for its task until that is over', async () => {
    states = ['SUBMITTED', 'WORKING', 'WORKING', 'COMPLETED']
    const { status, messages } = await ran()
    expect([status, textOf(messages)]).to.deep.equal(['done', 'It is 4.'])
    expect(asked).to.deep.equal(['SendMessage', 'GetTask', 'GetTask', 'GetTask'])
  })

  it('fails with its task', async () => {
    states = ['WORKING', 'FAILED']
    expect((await ran()).error?.code).to.equal('REMOTE_AGENT_FAILED')
  })

  it('is told to cancel its task when the run is cancelled, or takes too long', async () => {
    states = ['WORKING']
    const caller = new AbortController()
    const running = ran({ signal: caller.signal })
    while (!asked.includes('GetTask')) await new Promise((resolve) => setImmediate(resolve))
    caller.abort()
    expect((await running).status).to.equal('aborted')
    await until(() => asked.at(-1) === 'CancelTask')
    asked.splice(0)
    expect((await ran({}, { timeout_ms: 600 })).error?.code).to.equal('TIMEOUT')
    await until(() => asked.at(-1) === 'CancelTask')
  })
})

describe('a remote agent as a model of a server', () => {
  let far: SocketServer
  let served: Served
  before(async () => {
    far = await socketServer()
    const options = { allow_private: true }
    const endpoint = { backend: 'a2a', base_url: `${far.url}/a2a/careful`, options }
    const agents = [{ id: 'far', endpoint }]
    const backends = [a2aBackend()]
    served = await Served.start({}, {}, async (host) => ({
      runtime: await createRuntime({ host, agents, backends }),
    }))
  })
  after(async () => {
    await served.close()
    await far.close()
  })

  const asked = { role: 'user', content: 'hello' }
  for (const [path, body] of [
    ['/v1/chat/completions', { model: 'far', messages: [asked] }],
    ['/v1/chat/completions', { model: 'far', stream: true, messages: [asked] }],
    ['/v1/responses', { model: 'far', input: 'hello' }],
    ['/v1/messages', { model: 'far', max_tokens: 9, messages: [asked] }],
    [
      '/ag-ui',
      {
        threadId: 't',
        runId: 'r',
        messages: [{ id: 'a', ...asked }],
        forwardedProps: { agent: 'far' },
      },
    ],
    [
      '/api/chat',
      {
        id: 'u',
        agent: 'far',
        messages: [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'hello' }] }],
      },
    ],
    [
      '/a2a/far/message:send',
      { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] } },
    ],
  ] as const) {
    it(`answers ${path}${'stream' in body ? ', in a stream' : ''}`, async () => {
      const { status, text } = await served.ask(path, { body })
      expect(status, text).to.equal(200)
      const deltas = [...text.matchAll(/"(?:content|delta|text)":"((?:[^"\\]|\\.)*)"/g)]
      expect(deltas.map(([, piece]) => piece).join('')).to.include('You said: hello')
    })
  }

  it('goes on with a question in a stored conversation', async () => {
    const say = async (id: string, text: string) => {
      const messages = [{ id, role: 'user', parts: [{ type: 'text', text }] }]
      const answer = await served.ask('/api/chat', {
        body: { id: 'asked', agent: 'far', messages },
      })
      return [...answer.text.matchAll(/"delta":"((?:[^"\\]|\\.)*)"/g)]
        .map(([, piece]) => piece)
        .join('')
    }
    expect(await say('1', 'calculate')).to.include('May the tool')
    expect(await say('2', 'yes')).to.include('It is {')
  })

  it('AW-13 refuses the tools of a client, which it cannot call', async () => {
    const tools = [{ type: 'function', function: { name: 'x', parameters: { type: 'object' } } }]
    const body = { model: 'far', messages: [asked], tools }
    const { status, text } = await served.ask('/v1/chat/completions', { body })
    expect([status, text.includes('cannot take tools of the caller')]).to.deep.equal([400, true])
  })
})

describe('a remote agent by A2A 0.3', () => {
  const status = (state: string, final: boolean) => ({
    kind: 'status-update',
    taskId: 't',
    contextId: 'c',
    status: { state },
    final,
  })
  let server: RemoteServer
  const bodies: string[] = []
  before(async () => {
    server = await RemoteServer.start((request, response, body) => {
      const url = `http://${request.headers.host}`
      if (request.method === 'GET') {
        const old = { protocolVersion: '0.3.0', url, preferredTransport: 'JSONRPC' }
        return void response.end(cardAt(url, { ...old, supportedInterfaces: undefined }))
      }
      bodies.push(body)
      const { id } = JSON.parse(body) as { id: unknown }
      const artifact = { artifactId: 'a', parts: [{ kind: 'text', text: 'Hi there' }] }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const result of [
        { kind: 'task', id: 't', contextId: 'c', status: { state: 'submitted' } },
        { kind: 'artifact-update', taskId: 't', contextId: 'c', artifact },
        status('completed', true),
      ]) {
        response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
      }
      response.end()
    })
  })
  after(() => server.close())

  it('is asked in the words of its version', async () => {
    await using host = await scriptedHost()
    const endpoint = { backend: 'a2a', base_url: server.url, options: { allow_private: true } }
    const agents = [{ id: 'old', endpoint }]
    const runtime = await createRuntime({ host, agents, backends: [a2aBackend()] })
    const { messages, status: ended } = await (await runtime.run('old', { messages: 'hello' }))
      .result
    expect([ended, textOf(messages)]).to.deep.equal(['done', 'Hi there'])
    expect(JSON.parse(bodies[0] ?? '')).to.deep.include({ method: 'message/stream' })
    expect(bodies[0]).to.include('"kind":"text"')
  })
})
