import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { createOpenAI } from '../../../providers/openai/index.ts'
import { streamText } from '../../../scripts/replay/envelope.ts'
import { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import { jsonReply, streamReply } from '../../../scripts/replay/replies.ts'
import { createHost, type Host } from '../../../src/index.ts'
import { configFor, openaiHost, replyOf, streamed } from './asking.ts'
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

  /** Waits until the provider has let go of every connection that carried an unfinished answer. */
  async function socketsClosed(): Promise<void> {
    for (let tries = 0; server.open > 0 && tries < 200; tries++) await wait(10)
    expect(server.open).to.equal(0)
  }

  const begun = (api: 'chat' | 'responses') => {
    const { lines } = api === 'chat' ? CALLS : EVERYTHING
    return streamText('responses', lines.slice(0, 5)).replaceAll(/^event: .*\n/gm, '')
  }

  for (const api of ['chat', 'responses'] as const) {
    it(`times out where no headers come within limits.connect (${api})`, async () => {
      server.reply = () => ({ pieces: [], headerDelay: 60_000 })
      const { result } = await streamed(
        host,
        configFor(server, { api }, { limits: { connect: 0.1 } }),
      )
      expect(result.error).to.include({ code: 'TIMEOUT', retryable: true })
      expect(result.error?.message).to.include('limits.connect')
      await socketsClosed()
    })

    it(`times out where a stream stalls, keeps what came, and closes the socket (${api})`, async () => {
      server.reply = () => streamReply(begun(api), { ending: 'never' })
      const config = configFor(server, { api }, { limits: { stream_idle: 0.2 } })
      const { gathered, result } = await streamed(host, config)
      expect(result.error).to.include({ code: 'TIMEOUT' })
      expect(gathered[0]?.parts[0]).to.have.property('type', 'reasoning')
      await socketsClosed()
    })

    it(`does not wait long for an end after the answer, or after a malformed event (${api})`, async () => {
      const { lines } = api === 'chat' ? CALLS : EVERYTHING
      const whole = streamText(api, lines).replace('data: [DONE]\n\n', '')
      for (const [text, status] of [
        [whole, 'done'],
        ['data: {nope\n\n', 'failed'],
      ] as const) {
        server.reply = () => streamReply(text, { ending: 'never' })
        const { result } = await streamed(host, configFor(server, { api }))
        expect(result.status).to.equal(status)
      }
      await socketsClosed()
    })

    it(`aborts at once when it is cancelled, and closes the socket (${api})`, async () => {
      server.reply = () => streamReply(begun(api), { ending: 'never' })
      const controller = new AbortController()
      const stream = host.stream(configFor(server, { api }), 'Hello', { signal: controller.signal })
      for await (const event of stream) if (event.type === 'reasoning-delta') controller.abort()
      expect((await stream.result).status).to.equal('aborted')
      await socketsClosed()
    })

    it(`closes the socket when the reader leaves (${api})`, async () => {
      server.reply = () => streamReply(begun(api), { ending: 'never' })
      for await (const event of host.stream(configFor(server, { api }), 'Hello')) {
        if (event.type === 'reasoning-delta') break
      }
      await socketsClosed()
    })

    it(`aborts a call that does not stream (${api})`, async () => {
      server.reply = () => ({ pieces: ['{'], ending: 'never' })
      const signal = AbortSignal.timeout(100)
      const error: unknown = await host
        .send(configFor(server, { api }), 'Hello', { signal })
        .catch((reason: unknown) => reason)
      expect(error).to.include({ code: 'ABORTED' })
      await socketsClosed()
    })
  }

  it('tries again where the API asks for it, as often as settings say', async () => {
    server.reply = () =>
      server.requests.length < 3
        ? jsonReply(
            { error: { message: 'busy' } },
            { status: 429, headers: { 'retry-after-ms': '1' } },
          )
        : replyOf(EVERYTHING)
    const { result } = await streamed(host, configFor(server, { max_retries: 2 }))
    expect(result.status).to.equal('done')
    expect(server.requests).to.have.length(3)
  })

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
    await socketsClosed()
    proxy.closeAllConnections()
    await new Promise((resolve) => proxy.close(resolve))
  })

  it('says so where the proxy refuses', async () => {
    const { result } = await streamed(host, configFor(server, { proxy: server.url }))
    expect(result.error).to.include({ code: 'PROVIDER_FAILED' })
  })

  it('loads no SDK before the first request', function () {
    this.timeout(30_000)
    const provider = new URL('../../../providers/openai/index.ts', import.meta.url)
    const hook = `export async function resolve(name, context, next) {
      if (/^(openai|eventsource-parser)/.test(name)) process._rawDebug('loaded ' + name)
      return next(name, context)
    }`
    const script = `
      import { register } from 'node:module'
      register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}))
      const { default: openai } = await import(${JSON.stringify(provider.href)})
      const context = { config: {}, local: new Map(), warn() {} }
      const state = await openai.init({ model: openai.getModels({})[0] }, context)
      const parts = [{ type: 'text', text: 'Hello' }]
      process._rawDebug(openai.toNative([{ role: 'user', parts }], state, context).model)
      await import('openai')
    `
    const child = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', script],
      {
        cwd: fileURLToPath(new URL('../../../', import.meta.url)),
        encoding: 'utf8',
        timeout: 20_000,
      },
    )
    const lines = child.stderr.split('\n').filter((line) => /^(loaded|gpt)/.test(line))
    expect(lines[0]).to.match(/^gpt/)
    expect(lines[1]).to.equal('loaded openai')
  })
})
