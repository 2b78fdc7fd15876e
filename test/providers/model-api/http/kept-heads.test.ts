import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import anthropic from '../../../../providers/anthropic/index.ts'
import { keepingHeads } from '../../../../providers/model-api/http/kept-heads.ts'
import openai, { createOpenAI } from '../../../../providers/openai/index.ts'
import openaiCompatible from '../../../../providers/openai-compatible/index.ts'
import { createHost } from '../../../../src/core/index.ts'

interface Got {
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: { readonly [key: string]: unknown }
}

const CHAT = JSON.stringify({
  id: 'c',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
})
const MESSAGE = JSON.stringify({
  id: 'm',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'Hi' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 1, output_tokens: 1 },
})

describe('requests of one client', () => {
  let server: Server
  let got: Got[]
  let answer: (index: number) => Parameters<typeof respond>[1]
  let origin: string

  function respond(response: Parameters<RequestListener>[1], [status, body]: [number, string]) {
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1' })
    response.end(body)
  }

  beforeEach(async () => {
    got = []
    server = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8')
      request.on('data', (piece) => {
        body += piece
      })
      request.once('end', () => {
        got.push({ path: request.url, headers: request.headers, body: JSON.parse(body) })
        respond(response, answer(got.length))
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    answer = () => [200, CHAT]
  })

  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  const settingsOf = (provider: string, more: object = {}) => {
    const base_url = provider === 'anthropic' ? origin : `${origin}/v1`
    const api = provider === 'openai' ? { api: 'chat' } : {}
    return { [provider]: { api_key: 'sk-test-0123456789', base_url, ...api, ...more } }
  }
  const bare = ({ headers }: Got) => ({ ...headers, 'content-length': '' })

  for (const plugin of [openai, openaiCompatible, anthropic]) {
    const { name: provider } = plugin

    it(`have the same head and each its own body (${provider})`, async () => {
      if (provider === 'anthropic') answer = () => [200, MESSAGE]
      await using host = await createHost({ plugins: [plugin] })
      const config = { provider, model: 'm', settings: settingsOf(provider) }
      for (const text of ['One', 'Two', 'Three, longer']) await host.send(config, text)
      expect(got.map(({ path }) => path)).to.deep.equal(Array(3).fill(got[0]?.path))
      expect(got.map(bare)).to.deep.equal(Array(3).fill(bare(got[0] as Got)))
      expect(got.map(({ body }) => JSON.stringify(body).match(/One|Two|Three/)?.[0])).to.deep.equal(
        ['One', 'Two', 'Three'],
      )
    })
  }

  it('have heads of their own where key, headers, limits or what is asked for differ', async () => {
    await using host = await createHost({ plugins: [anthropic] })
    answer = () => [200, MESSAGE]
    const send = async (more: object, limits: object = {}) => {
      const settings = settingsOf('anthropic', more)
      await host.send({ provider: 'anthropic', model: 'm', limits, settings }, 'Hello')
      return got.at(-1)?.headers
    }
    expect(await send({})).to.include({ 'x-api-key': 'sk-test-0123456789' })
    expect(await send({ api_key: 'sk-other-0123456789' })).to.include({
      'x-api-key': 'sk-other-0123456789',
    })
    expect(await send({ headers: { 'x-team': 'blue' } })).to.include({ 'x-team': 'blue' })
    expect(await send({ betas: ['one'] }))
      .to.have.property('anthropic-beta')
      .that.includes('one')
    expect(await send({})).to.not.have.any.keys('x-team', 'anthropic-beta')
    expect(await send({}, { connect: 7 })).to.include({ 'x-stainless-timeout': '600' })
  })

  for (const plugin of [openai, openaiCompatible, anthropic]) {
    const { name: provider } = plugin

    it(`carry long bodies whole, at each attempt (${provider})`, async () => {
      const good = provider === 'anthropic' ? MESSAGE : CHAT
      answer = (index) => (index % 2 === 1 ? [503, '{}'] : [200, good])
      await using host = await createHost({ plugins: [plugin] })
      const config = { provider, model: 'm', settings: settingsOf(provider) }
      const text = '😀é"'.repeat(300_000)
      for (const end of ['1', '2']) await host.send(config, text + end)
      expect(got).to.have.length(4)
      for (const [index, { headers, body }] of got.entries()) {
        expect(headers['content-type']).to.equal('application/json')
        expect(JSON.stringify(body).includes(JSON.stringify(text).slice(1, -1))).to.equal(true)
        expect(body).to.deep.equal(got[index - (index % 2)]?.body)
      }
    })
  }

  it('say how often they were sent', async () => {
    answer = (index) => (index % 2 === 1 ? [503, '{}'] : [200, CHAT])
    await using host = await createHost({ plugins: [openai] })
    const config = { provider: 'openai', model: 'm', settings: settingsOf('openai') }
    await host.send(config, 'Hello')
    await host.send(config, 'Hello')
    const counts = got.map(({ headers }) => headers['x-stainless-retry-count'])
    expect(counts).to.deep.equal(['0', '1', '0', '1'])
  })

  it('are the client’s own affair where it does not show how it builds them', () => {
    const client: { name: string; buildRequest?: never } = { name: 'a later release' }
    expect(keepingHeads(client)).to.equal(client).and.deep.equal({ name: 'a later release' })
  })

  it('give an application’s own fetch headers that it may change', async () => {
    const seen: string[] = []
    const own: typeof fetch = async (_input, init) => {
      const headers = init?.headers as Headers
      headers.append('x-trace', 'mine')
      seen.push(headers.get('x-trace') ?? '')
      return new Response(CHAT, { headers: { 'content-type': 'application/json' } })
    }
    await using host = await createHost({ plugins: [createOpenAI({ fetch: own })] })
    const config = { provider: 'openai', model: 'm', settings: settingsOf('openai') }
    await host.send(config, 'Hello')
    await host.send(config, 'Hello')
    expect(seen).to.deep.equal(['mine', 'mine'])
  })
})
