import { expect } from 'chai'
import { createAnthropic } from '../../../providers/anthropic/index.ts'
import { streamText } from '../../../scripts/replay/envelope.ts'
import { replyOf } from '../../../scripts/replay/recording.ts'
import { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import { jsonReply } from '../../../scripts/replay/replies.ts'
import { createHost, type Host } from '../../../src/core/index.ts'
import { expectRetries, itLetsGo, type Line } from '../connections.ts'
import { type Settings, streamed } from '../openai/asking.ts'
import { anthropicHost, configFor, ownRecording } from './asking.ts'

const EVERYTHING = ownRecording('messages/everything.chunks.txt')

describe('the connection of the Anthropic provider', () => {
  let server: ReplayServer
  let host: Host

  beforeEach(async () => {
    server = await new ReplayServer().start()
    host = await anthropicHost()
  })
  afterEach(async () => {
    await host.close()
    await server.close()
  })

  const lineOf = (): Line => ({
    server,
    host,
    begun: streamText('messages', EVERYTHING.lines.slice(0, 4)),
    whole: streamText('messages', EVERYTHING.lines),
    configFor: (more = {}) => configFor(server, {}, more),
  })

  itLetsGo('messages', lineOf)

  it('tries again where the API asks for it, as often as settings say', () =>
    expectRetries(lineOf(), configFor(server, { max_retries: 2 })))

  const seenWith = async (settings: Settings) => {
    server.reply = () => replyOf(EVERYTHING)
    const { result } = await streamed(host, configFor(server, settings))
    expect(result.status).to.equal('done')
    return server.requests[0] as (typeof server.requests)[0]
  }

  it('sends the key, the version, the betas and headers of its own', async () => {
    const { path, headers, body } = await seenWith({
      headers: { 'X-Team': 'blue' },
      betas: ['one-2026-01-01'],
      context_management: { edits: [] },
    })
    expect(path).to.equal('/v1/messages')
    expect(headers).to.include({
      'x-api-key': 'sk-ant-test-0123456789',
      'anthropic-version': '2026-10-21',
      'anthropic-beta': 'one-2026-01-01,context-management-2025-06-27',
      'x-team': 'blue',
    })
    expect(headers).not.to.have.property('authorization')
    expect(body).to.include({ stream: true })
  })

  it('asks for the version of the API that knows a temperature where it has one', async () => {
    const versionFor = async (settings: Settings) => {
      await seenWith(settings)
      return server.requests.at(-1)?.headers['anthropic-version']
    }
    expect(await versionFor({})).to.equal('2026-10-21')
    expect(await versionFor({ temperature: 0.5 })).to.equal('2023-06-01')
    expect(await versionFor({ body: { top_p: 0.5 } })).to.equal('2023-06-01')
    const headers = { 'Anthropic-Version': '2030-01-01' }
    expect(await versionFor({ temperature: 0.5, headers })).to.equal('2030-01-01')
  })

  it('sends no beta where nothing needs one', async () => {
    expect((await seenWith({})).headers).not.to.have.property('anthropic-beta')
  })

  it('sends a token of the application in place of the key', async () => {
    const { headers } = await seenWith({ headers: { authorization: 'Bearer own' } })
    expect(headers).to.include({ authorization: 'Bearer own' })
  })

  it('takes a base URL with the version and without', async () => {
    const bare = server.url.replace('/v1', '')
    for (const base_url of [bare, `${bare}/`, `${bare}/v1`, `${bare}/v1/`]) {
      await seenWith({ base_url })
      expect(server.requests.at(-1)?.path).to.equal('/v1/messages')
    }
  })

  it('sends no key to a server that was given none, whatever the environment has', async () => {
    server.reply = () => replyOf(EVERYTHING)
    const settings = { anthropic: { base_url: server.url } }
    process.env['ANTHROPIC_AUTH_TOKEN'] = 'token-of-another'
    try {
      const { result } = await streamed(host, { provider: 'anthropic', model: 'own', settings })
      expect(result.status).to.equal('done')
    } finally {
      delete process.env['ANTHROPIC_AUTH_TOKEN']
    }
    expect(server.requests[0]?.headers).not.to.have.any.keys('x-api-key', 'authorization')
  })

  it('lists the models of the API', async () => {
    server.reply = () => jsonReply({ data: [{ id: 'claude-a' }, { id: 'claude-b' }, { no: 'id' }] })
    expect(await host.refreshModels(configFor(server))).to.deep.equal(['claude-a', 'claude-b'])
    expect(server.requests[0]?.path).to.equal('/v1/models?limit=1000')
  })

  it('takes no list of more models than an API could have', async () => {
    const data = Array.from({ length: 100_001 }, (_, at) => ({ id: `m${at}` }))
    server.reply = () => jsonReply({ data })
    const failed = await host.refreshModels(configFor(server)).catch((error: unknown) => error)
    expect(failed).to.include({ code: 'PROVIDER_FAILED' })
    expect((failed as Error).message).to.include('listed 100001 models, more than 100000')
  })

  it('goes through a fetch of the application', async () => {
    const seen: string[] = []
    const fetch: typeof globalThis.fetch = async (input) => {
      seen.push(String(input))
      const headers = { 'content-type': 'text/event-stream' }
      return new Response(streamText('messages', EVERYTHING.lines), { headers })
    }
    await using own = await createHost({ plugins: [createAnthropic({ fetch })] })
    const { result } = await streamed(own, configFor({ url: 'https://nowhere.test/v1' }))
    expect(result.status).to.equal('done')
    expect(seen).to.deep.equal(['https://nowhere.test/v1/messages'])
  })
})
