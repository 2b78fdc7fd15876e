import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect } from 'chai'
import { createOpenAI } from '../../../providers/openai/index.ts'
import { streamText } from '../../../scripts/replay/envelope.ts'
import { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import { jsonReply } from '../../../scripts/replay/replies.ts'
import { createHost, type Host } from '../../../src/core/index.ts'
import { expectRetries, itLetsGo, type Line, socketsClosed } from '../connections.ts'
import { configFor, openaiHost, replyOf, type Settings, streamed } from './asking.ts'
import { ownRecording } from './recordings.ts'

const CALLS = ownRecording('chat/calls.chunks.txt')
const EVERYTHING = ownRecording('responses/everything.chunks.txt')

describe('the connection of the OpenAI provider', () => {
  let server: ReplayServer
  let host: Host

  beforeEach(async () => {
    server = await new ReplayServer().start()
    host = await openaiHost()
  })
  afterEach(async () => {
    await host.close()
    await server.close()
  })

  const bodies = (api: 'chat' | 'responses') => {
    const { lines } = api === 'chat' ? CALLS : EVERYTHING
    const begun = streamText('responses', lines.slice(0, 5)).replaceAll(/^event: .*\n/gm, '')
    return { begun, whole: streamText(api, lines).replace('data: [DONE]\n\n', '') }
  }
  const lineOf = (api: 'chat' | 'responses', settings: Settings = {}): Line => ({
    server,
    host,
    ...bodies(api),
    configFor: (more = {}) => configFor(server, { api, ...settings }, more),
  })

  for (const api of ['chat', 'responses'] as const) itLetsGo(api, () => lineOf(api))

  it('tries again where the API asks for it, as often as settings say', () =>
    expectRetries(lineOf('responses'), configFor(server, { max_retries: 2 })))

  it('sends the key, the organization, the project and headers of its own', async () => {
    server.reply = () => replyOf(EVERYTHING)
    const settings = { organization: 'org-1', project: 'proj-1', headers: { 'X-Team': 'blue' } }
    await streamed(host, configFor(server, settings))
    const [{ path, headers }] = server.requests as [(typeof server.requests)[0]]
    expect(path).to.equal('/v1/responses')
    expect(headers).to.include({
      authorization: 'Bearer sk-test-0123456789',
      'openai-organization': 'org-1',
      'openai-project': 'proj-1',
      'x-team': 'blue',
    })
  })

  it('sends no key to a server that was given none', async () => {
    server.reply = () => replyOf(CALLS)
    const settings = { openai: { api: 'chat', base_url: server.url } }
    const { result } = await streamed(host, { provider: 'openai', model: 'local', settings })
    expect(result.status).to.equal('done')
    expect(server.requests[0]?.path).to.equal('/v1/chat/completions')
    expect(server.requests[0]?.headers).not.to.have.property('authorization')
  })

  it('lists the models of the API', async () => {
    server.reply = () => jsonReply({ data: [{ id: 'gpt-a' }, { id: 'gpt-b' }, { no: 'id' }] })
    expect(await host.refreshModels(configFor(server))).to.deep.equal(['gpt-a', 'gpt-b'])
    expect(server.requests[0]?.path).to.equal('/v1/models')
  })

  it('goes through a fetch of the application', async () => {
    const body = streamText('responses', EVERYTHING.lines)
    const seen: string[] = []
    const fetch: typeof globalThis.fetch = async (input) => {
      seen.push(String(input))
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    }
    const own = await createHost({ plugins: [createOpenAI({ fetch })] })
    const { result } = await streamed(own, configFor({ url: 'https://nowhere.test/v1' }))
    expect(result.status).to.equal('done')
    expect(seen).to.deep.equal(['https://nowhere.test/v1/responses'])
    await own.close()
  })

  it('goes through an HTTP proxy, by CONNECT, with its login', async () => {
    server.reply = () => replyOf(EVERYTHING)
    const asked: { path: string | undefined; login: string | undefined }[] = []
    const proxy = createServer().on('connect', ({ url, headers }, client, head) => {
      asked.push({ path: url, login: headers['proxy-authorization'] })
      const target = new URL(`http://${url}`)
      const upstream = connect(Number(target.port), target.hostname, () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.write(head)
        client.pipe(upstream).pipe(client)
      })
      upstream.on('error', () => client.destroy())
      client.on('error', () => upstream.destroy())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as AddressInfo
    const { result } = await streamed(
      host,
      configFor(server, { proxy: `http://me:secret@127.0.0.1:${port}` }),
    )
    expect(result.error).to.equal(undefined)
    expect(result.status).to.equal('done')
    expect(asked).to.deep.equal([
      { path: new URL(server.url).host, login: `Basic ${btoa('me:secret')}` },
    ])
    await socketsClosed(server)
    proxy.closeAllConnections()
    await new Promise((resolve) => proxy.close(resolve))
  })

  it('says so where the proxy refuses', async () => {
    const { result } = await streamed(host, configFor(server, { proxy: server.url }))
    expect(result.error).to.include({ code: 'PROVIDER_FAILED' })
    expect(result.error?.message).to.include('Check settings.openai.proxy.')
  })

  it('closes the connection to a proxy that refuses', async () => {
    let left: Promise<unknown> = Promise.resolve()
    const proxy = createServer().on('connect', (_request, client) => {
      left = once(client, 'end').then(() => client.destroy())
      client.resume().write('HTTP/1.1 407 Who\r\ncontent-length: 0\r\n\r\n')
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const { port } = proxy.address() as AddressInfo
    const { result } = await streamed(
      host,
      configFor(server, { proxy: `http://127.0.0.1:${port}`, max_retries: 0 }),
    )
    expect(result.error?.message).to.include('the proxy answered CONNECT with status 407')
    await left
    await new Promise((resolve) => proxy.close(resolve))
  })
})
