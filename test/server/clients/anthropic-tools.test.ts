import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { expect } from 'chai'
import { eventProvider } from '../../helpers/plugins.ts'
import { type SocketServer, socketServer } from './socket-server.ts'

const ASKED = { model: 'quick', max_tokens: 100 }
/** With it, clients see what the model thinks. */
const THINKING = { thinking: { type: 'adaptive' as const } }
/** The beta of Anthropic's API that has calls which a server ran. */
const BETAS = { betas: ['mcp-client-2025-11-20'] }

describe("tools of the host with Anthropic's client", () => {
  let server: SocketServer
  let client: Anthropic
  before(async () => {
    server = await socketServer()
    client = new Anthropic({ baseURL: server.url, apiKey: 'any', maxRetries: 0 })
  })
  after(() => server.close())

  const asking = (content: string) => ({ ...ASKED, messages: [{ role: 'user' as const, content }] })
  const typesOf = (content: readonly { readonly type: string }[]) => content.map(({ type }) => type)

  it('are seen with their results, streamed and at once, and end no turn', async () => {
    const asked = { ...asking('calculate'), ...BETAS, ...THINKING }
    const whole = await client.beta.messages.create(asked)
    expect(typesOf(whole.content)).to.deep.equal([
      'thinking',
      'mcp_tool_use',
      'mcp_tool_result',
      'text',
    ])
    expect(whole.content[1]).to.deep.include({
      name: 'calculate',
      server_name: 'braidwork',
      input: { expression: '6 * 7' },
    })
    expect(JSON.stringify(whole.content[2])).to.include('42')
    expect(whole.stop_reason).to.equal('end_turn')
    const stream = client.beta.messages.stream(asked)
    const streamed = await stream.finalMessage()
    expect(typesOf(streamed.content)).to.deep.equal(typesOf(whole.content))
    expect(streamed.content[1]).to.deep.include({ input: { expression: '6 * 7' } })
  })

  it('are not shown to clients that do not know their blocks', async () => {
    const whole = await client.messages.create(asking('calculate'))
    expect(typesOf(whole.content)).to.deep.equal(['text'])
    const streamed = await client.messages.stream(asking('calculate')).finalMessage()
    expect(typesOf(streamed.content)).to.deep.equal(['text'])
    const query = { beta: 'true' }
    const told = await client.messages.create(asking('calculate'), { query })
    expect(typesOf(told.content)).to.include('mcp_tool_use')
  })

  it('are not run by the client, whose own tools are', async () => {
    const ran: unknown[] = []
    const locate = betaTool({
      name: 'locate',
      description: 'Where a city is',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
      run: (input: unknown) => {
        ran.push(input)
        return 'there'
      },
    })
    for (const stream of [false, true]) {
      const runner = client.beta.messages.toolRunner({
        ...asking('both'),
        ...BETAS,
        tools: [locate],
        stream,
      })
      const last = await runner.runUntilDone()
      expect(JSON.stringify(last.content)).to.include('Rome is at there.')
    }
    expect(ran).to.deep.equal([{ city: 'Rome' }, { city: 'Rome' }])
  })

  it('may be sent back, as blocks of the assistant, also without a result', async () => {
    const { content } = await client.beta.messages.create({ ...asking('calculate'), ...BETAS })
    const messages = (blocks: typeof content) => [
      { role: 'user' as const, content: 'calculate' },
      { role: 'assistant' as const, content: blocks as Anthropic.Beta.BetaContentBlockParam[] },
      { role: 'user' as const, content: 'hello' },
    ]
    const cut = content.filter(({ type }) => type !== 'mcp_tool_result')
    for (const blocks of [content, cut]) {
      const next = await client.beta.messages.create({ ...ASKED, messages: messages(blocks) })
      expect(JSON.stringify(next.content)).to.include('You said: hello')
    }
  })
})

describe("arguments of a call for Anthropic's client", () => {
  let server: SocketServer
  before(async () => {
    const pieces = ['{"city":', '"Rome"', '}']
    const provider = eventProvider(
      [
        { type: 'tool-call-start', id: 'c1', name: 'locate' },
        ...pieces.map((delta) => ({ type: 'tool-call-delta', id: 'c1', delta })),
        { type: 'tool-call-end', id: 'c1', input: { city: 'Rome' } },
      ],
      { tags: ['tools'] },
    )
    server = await socketServer({ models: { quick: {} } }, { plugins: [provider], config: {} })
  })
  after(() => server.close())

  it('come at once, or in pieces where the client asks for the beta of pieces', async () => {
    const client = new Anthropic({ baseURL: server.url, apiKey: 'any', maxRetries: 0 })
    const read = async (headers: { readonly [name: string]: string }) => {
      const pieces: string[] = []
      const messages = [{ role: 'user' as const, content: 'locate' }]
      const tools = [{ name: 'locate', input_schema: { type: 'object' as const } }]
      const stream = client.messages.stream({ ...ASKED, messages, tools }, { headers })
      stream.on('inputJson', (piece) => pieces.push(piece))
      const { content } = await stream.finalMessage()
      expect(content[0]).to.deep.include({ input: { city: 'Rome' } })
      return pieces
    }
    expect(await read({})).to.have.length(1)
    const beta = 'fine-grained-tool-streaming-2025-05-14'
    expect(await read({ 'anthropic-beta': beta })).to.have.length(3)
  })
})
