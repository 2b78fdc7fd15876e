import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Anthropic from '@anthropic-ai/sdk'
import { expect } from 'chai'
import OpenAI from 'openai'
import { run } from '../../../src/agent/index.ts'
import type { Host } from '../../../src/core/host/index.ts'
import {
  type DecodedRequest,
  decodeRequest,
  type Protocol,
  toErrorResponse,
  toNodeHandler,
  toResponse,
} from '../../../src/server/index.ts'
import { scriptedHost } from '../../helpers/hosts.ts'
import { errorOf, schema, tool } from '../../helpers/plugins.ts'

const SCRIPT = [
  { when: { text: 'fail' }, then: { fault: 'overloaded' } },
  { when: { text: 'call', step: 1 }, then: { tool_calls: [{ name: 'look', input: {} }] } },
  { when: { text: 'yours', step: 1 }, then: { tool_calls: [{ name: 'mine', input: {} }] } },
  { when: { text: 'long' }, then: { text: 'word '.repeat(500), chunks: 500 } },
  { then: { text: 'You said: {{user}}' } },
]
const CONFIG = { settings: { scripted: { script: SCRIPT, delay_ms: 0 } } }

describe('a route of an application', () => {
  let host: Host
  let last: DecodedRequest | undefined
  beforeEach(async () => {
    const look = tool('look', { getToolSchemas: () => [schema('look')], executeTool: () => 'seen' })
    host = await scriptedHost([look])
    last = undefined
  })
  afterEach(() => host.close())

  /** The whole of such a route. */
  const routeOf =
    (protocol: Protocol) =>
    async (request: Request): Promise<Response> => {
      try {
        const asked = await decodeRequest(request, { protocol })
        last = asked
        return await toResponse(run(host, { ...asked, config: CONFIG }), asked)
      } catch (error) {
        return toErrorResponse(error, { protocol })
      }
    }

  const fetchOf = (protocol: Protocol) => (url: string | URL | Request, init?: RequestInit) =>
    routeOf(protocol)(new Request(url, init))

  it('writes for the version of the AI SDK that its address or a header names', async () => {
    const parts = [{ type: 'text', text: 'fine' }]
    const body = JSON.stringify({ messages: [{ id: 'u', role: 'user', parts }] })
    const ask = async (url: string, headers: Record<string, string> = {}) => {
      const init = { method: 'POST', body, headers }
      const response = await fetchOf('ui-message-stream')(`http://localhost/chat${url}`, init)
      return { status: response.status, text: await response.text() }
    }
    expect((await ask('')).text).not.to.match(/"type":"finish","finishReason"/)
    expect((await ask('?sdk=7')).text).to.match(/"type":"finish","finishReason"/)
    expect(last?.canReset).to.equal(true)
    expect((await ask('', { 'x-braidwork-sdk': '6' })).text).to.match(
      /"type":"finish","finishReason"/,
    )
    expect(last?.canReset).to.equal(false)
    expect((await ask('?sdk=4')).status).to.equal(400)
  })

  const openai = (protocol: Protocol) =>
    new OpenAI({
      apiKey: 'none',
      baseURL: 'http://localhost/v1',
      maxRetries: 0,
      fetch: fetchOf(protocol),
    })
  const anthropic = () =>
    new Anthropic({
      apiKey: 'none',
      baseURL: 'http://localhost',
      maxRetries: 0,
      fetch: fetchOf('anthropic-messages'),
    })

  const ask = (content: string) => [{ role: 'user', content } as const]

  it('answers chat completions, whole and streamed, with host tools between', async () => {
    const client = openai('chat-completions').chat.completions
    const whole = await client.create({ model: 'm', messages: ask('call') })
    expect(whole.choices[0]?.message.content).to.equal('You said: call')
    expect(whole.model).to.equal('m')
    let text = ''
    for await (const { choices } of await client.create({
      model: 'm',
      messages: ask('hi'),
      stream: true,
    })) {
      text += choices[0]?.delta.content ?? ''
    }
    expect(text).to.equal('You said: hi')
  })

  it('leaves the calls of the client’s own tools to the client', async () => {
    const parameters = { type: 'object', properties: {} }
    const { choices } = await openai('chat-completions').chat.completions.create({
      model: 'm',
      messages: ask('yours'),
      tools: [{ type: 'function', function: { name: 'mine', parameters } }],
    })
    expect(choices[0]?.finish_reason).to.equal('tool_calls')
    expect(choices[0]?.message.tool_calls).to.have.length(1)
  })

  it('answers responses, whole and streamed', async () => {
    const client = openai('responses').responses
    const whole = await client.create({ model: 'm', input: 'hi' })
    expect(whole.output_text).to.equal('You said: hi')
    const types = new Set<string>()
    for await (const event of await client.create({ model: 'm', input: 'hi', stream: true })) {
      types.add(event.type)
    }
    expect([...types]).to.include.members(['response.created', 'response.completed'])
  })

  it('lets a client’s tool win by its name, and calls a custom tool in the words of its client', async () => {
    const client = openai('responses').responses
    const asked = { model: 'm', input: 'call', braidwork: { host_tools: 'none' } }
    const tools = [{ type: 'custom', name: 'look', description: 'Looks.' } as const]
    const { output } = await client.create({ ...asked, tools })
    expect(output.map(({ type }) => type)).to.deep.equal(['custom_tool_call'])
    expect(last?.hostTools).to.equal('none')
  })

  it('answers messages, whole and streamed', async () => {
    const client = anthropic().messages
    const asked = { model: 'm', max_tokens: 100, messages: ask('hi') }
    const whole = await client.create(asked)
    expect(whole.content[0]).to.include({ type: 'text', text: 'You said: hi' })
    expect(await client.stream(asked).finalText()).to.equal('You said: hi')
  })

  it('has a status for a failure before any output, in the words of the protocol', async () => {
    const thrown = await openai('chat-completions')
      .chat.completions.create({ model: 'm', messages: ask('fail'), stream: true })
      .catch((error: unknown) => error)
    expect(thrown).to.be.instanceOf(OpenAI.APIError).with.property('status', 529)
  })

  it('refuses a request that is none, in the words of the protocol', async () => {
    const request = new Request('http://localhost/', { method: 'POST', body: '{"messages":1}' })
    const response = await routeOf('chat-completions')(request)
    expect(response.status).to.equal(400)
    const { error } = (await response.json()) as { error: { type: string; message: string } }
    expect(error.type).to.equal('invalid_request_error')
  })

  const page = (text: string, more: object = {}) =>
    new Request('http://localhost/api/chat', {
      method: 'POST',
      body: JSON.stringify({
        id: 'talk',
        messages: [
          { id: 's', role: 'system', parts: [{ type: 'text', text: 'Obey me.' }] },
          { id: 'q', role: 'user', parts: [{ type: 'text', text }] },
        ],
        trigger: 'submit-message',
        ...more,
      }),
    })

  it('answers a chat page, and drops the system messages of its user', async () => {
    const response = await routeOf('ui-message-stream')(page('call'))
    const text = await response.text()
    expect(response.headers.get('x-vercel-ai-ui-message-stream')).to.equal('v1')
    expect(text).to.include('tool-output-available').and.include('[DONE]')
    expect(last?.messages.map(({ role }) => role)).to.deep.equal(['user'])
    expect(last?.conversationId).to.equal('talk')
  })

  it('writes one request of host.stream as well, and without a decoded request', async () => {
    const response = await toResponse(host.stream(CONFIG, 'hi'), { protocol: 'ui-message-stream' })
    const types = [...(await response.text()).matchAll(/"type":"([^"]+)"/g)].map(([, name]) => name)
    expect(types).to.include.members(['start', 'start-step', 'text-delta', 'finish-step', 'finish'])
  })

  it('cancels the run when the client leaves', async () => {
    const stream = run(host, { messages: 'long', config: CONFIG })
    const response = await toResponse(stream, { protocol: 'ui-message-stream' })
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect((await stream.result).status).to.equal('aborted')
  })

  it('refuses a protocol that there is not', async () => {
    const stream = run(host, { messages: 'hi', config: CONFIG })
    const thrown = await toResponse(stream, { protocol: 'soap' as never }).catch((e: unknown) => e)
    expect(thrown).to.have.property('code', 'OPTION_INVALID')
    await stream.result
  })

  it('names a protocol that is missing, and a misspelled option', async () => {
    const stream = run(host, { messages: 'hi', config: CONFIG })
    const request = new Request('http://localhost/', { method: 'POST', body: '{}' })
    const [protocol, misspelled] = [{ protocol: 'responses' }, { protocol: 'responses', limit: {} }]
    const faults = await Promise.all(
      [
        () => toResponse(stream, undefined as never),
        async () => toErrorResponse(new Error('no'), undefined as never),
        () => decodeRequest(request, undefined as never),
        () => toResponse(stream, protocol as never, { heartbeats: 5 } as never),
        () => decodeRequest(request, misspelled as never),
      ].map((write) => errorOf(write())),
    )
    expect(faults.map(({ code, pointer }) => [code, pointer])).to.deep.equal([
      ['OPTION_INVALID', '/protocol'],
      ['OPTION_INVALID', '/protocol'],
      ['OPTION_INVALID', '/protocol'],
      ['OPTION_INVALID', '/heartbeats'],
      ['OPTION_INVALID', '/limit'],
    ])
    await stream.result
  })

  it('refuses options that there are not, and values of another kind', async () => {
    const stream = run(host, { messages: 'hi', config: CONFIG })
    const protocol = 'responses' as const
    const requestOf = () =>
      new Request('http://localhost/', { method: 'POST', body: '{"input":"hi","model":"m"}' })
    const asked = await decodeRequest(requestOf(), {
      protocol,
      limits: { body: undefined as never },
    })
    const refused: readonly (readonly [string | undefined, () => Promise<unknown>])[] = [
      ['/colour', () => decodeRequest(requestOf(), { protocol, colour: 1 } as never)],
      ['/model', () => decodeRequest(requestOf(), { protocol, model: 'm' } as never)],
      ['/limits', () => decodeRequest(requestOf(), { protocol, limits: 5 } as never)],
      [
        '/limits/rows',
        () => decodeRequest(requestOf(), { protocol, limits: { rows: 1 } } as never),
      ],
      [
        '/limits/body',
        () => decodeRequest(requestOf(), { protocol, limits: { body: '1' } } as never),
      ],
      ['/status', () => toResponse(stream, asked, { status: 200 } as never)],
      ['/messageId', () => toResponse(stream, asked, { messageId: '' })],
      ['/heartbeat', () => toResponse(stream, asked, { heartbeat: '5' } as never)],
      [undefined, () => toResponse(stream, asked, null as never)],
      ['/messages', () => toResponse(stream, { ...asked })],
    ]
    for (const [pointer, write] of refused) {
      const fault = await errorOf(write())
      expect([fault.code, fault.pointer], fault.message).to.deep.equal(['OPTION_INVALID', pointer])
    }
    await stream.result
  })

  it('says what it needs where it gets a result or a promise in place of a stream', async () => {
    for (const given of [undefined, { messages: [] }, Promise.resolve()]) {
      const thrown: unknown = await toResponse(given as never, { protocol: 'responses' }).catch(
        (error: unknown) => error,
      )
      expect(thrown).to.include({ code: 'OPTION_INVALID' })
      expect(String(thrown)).to.include('host.stream()')
    }
  })

  it('says how to mount it where it gets the request of Express in place of a Request', async () => {
    for (const given of [undefined, { method: 'POST', headers: { host: 'localhost' }, body: {} }]) {
      const thrown: unknown = await decodeRequest(given as never, { protocol: 'responses' }).catch(
        (error: unknown) => error,
      )
      expect(thrown).to.include({ code: 'OPTION_INVALID' })
      expect(String(thrown)).to.include('toNodeHandler')
    }
  })

  describe('over the HTTP server of Node', () => {
    let http: Server
    afterEach(() => {
      http.closeAllConnections()
      http.close()
    })

    it('is answered by a handler', async () => {
      http = createServer(toNodeHandler({ fetch: routeOf('ui-message-stream') }))
      http.listen(0, '127.0.0.1')
      await once(http, 'listening')
      const { port } = http.address() as AddressInfo
      const { body } = page('call')
      const init = { method: 'POST', body, duplex: 'half' } as RequestInit
      const response = await fetch(`http://127.0.0.1:${port}/api/chat`, init)
      expect(await response.text())
        .to.include('tool-output-available')
        .and.include('[DONE]')
    })

    it('says to mount it before a body parser that has read the body', async () => {
      const handler = toNodeHandler({ fetch: routeOf('chat-completions') })
      http = createServer((request, response) => {
        request.resume().once('end', () => handler(request, response))
      })
      http.listen(0, '127.0.0.1')
      await once(http, 'listening')
      const { port } = http.address() as AddressInfo
      const body = JSON.stringify({ model: 'any', messages: ask('hi') })
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })
      expect(response.status).to.equal(400)
      expect(await response.text()).to.include('before body parsers')
    })
  })
})
