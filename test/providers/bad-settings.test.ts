import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import anthropic from '../../providers/anthropic/index.ts'
import openai from '../../providers/openai/index.ts'
import openaiCompatible from '../../providers/openai-compatible/index.ts'
import { ReplayServer } from '../../scripts/replay/replay-server.ts'
import {
  type ConfigLayer,
  createHost,
  type Host,
  type HostError,
  type Message,
} from '../../src/core/index.ts'
import { systemCode } from '../../src/server/system-code.ts'

const PROVIDERS = ['openai', 'openai-compatible', 'anthropic'] as const
const SECRET = 'hunter2-hunter2'

interface Fault {
  readonly title: string
  readonly settings: { readonly [key: string]: unknown }
  readonly pointer: string
  readonly message: RegExp
}

/** Settings that are refused before anything is sent. */
const FAULTS: readonly Fault[] = [
  {
    title: 'a base URL without a scheme',
    settings: { base_url: 'localhost:8080/v1' },
    pointer: 'base_url',
    message: /is not an http or https address.*"http:\/\/localhost:8080\/v1"/,
  },
  {
    title: 'a base URL that is a name',
    settings: { base_url: 'api.example.com' },
    pointer: 'base_url',
    message: /"http:\/\/api\.example\.com"/,
  },
  {
    title: 'a base URL of another scheme',
    settings: { base_url: 'ftp://example.com/v1' },
    pointer: 'base_url',
    message: /not an http or https address/,
  },
  {
    title: 'a base URL with credentials',
    settings: { base_url: `https://user:${SECRET}@example.com/v1` },
    pointer: 'base_url',
    message: /user name or a password/,
  },
  {
    title: 'a base URL with credentials and without a scheme',
    settings: { base_url: `user:${SECRET}@example.com/v1` },
    pointer: 'base_url',
    message: /"http:\/\/example\.com\/v1"/,
  },
  {
    title: 'a base URL with a query',
    settings: { base_url: 'https://example.com/v1?api-version=1' },
    pointer: 'base_url',
    message: /"\?api-version=1"/,
  },
  {
    title: 'a base URL of a deployment of Azure',
    settings: { base_url: 'https://a.openai.azure.com/openai/deployments/gpt4?api-version=1' },
    pointer: 'base_url',
    message: /"https:\/\/a\.openai\.azure\.com\/openai\/v1".*"@ai-sdk\/azure"/,
  },
  {
    title: 'a base URL that is the address of a request',
    settings: { base_url: 'https://example.com/v1/chat/completions' },
    pointer: 'base_url',
    message: /ends in "\/chat\/completions"/,
  },
  {
    title: 'a header with a line break',
    settings: { headers: { 'X-Team': `blue\r\nAuthorization: ${SECRET}` } },
    pointer: 'headers',
    message: /line break.*"X-Team"/,
  },
  {
    title: 'a header whose name is none',
    settings: { headers: { 'X Team': 'blue' } },
    pointer: 'headers',
    message: /"X Team"/,
  },
  {
    title: 'a key with a line break',
    settings: { api_key: `${SECRET}\n` },
    pointer: 'api_key',
    message: /line break/,
  },
  {
    title: 'a proxy without a scheme',
    settings: { proxy: 'localhost:3128' },
    pointer: 'proxy',
    message: /not an http or https address/,
  },
]

describe('settings of a connection', () => {
  let host: Host
  let server: ReplayServer

  before(async () => {
    host = await createHost({ plugins: [openai, openaiCompatible, anthropic] })
    server = await new ReplayServer().start()
  })
  after(async () => {
    await host.close()
    await server.close()
  })

  const configFor = (provider: string, settings: object, more: ConfigLayer = {}): ConfigLayer => {
    const own = { api_key: 'sk-test-0123456789', base_url: server.url, max_retries: 0, ...settings }
    return { provider, model: 'gpt-4.1', settings: { [provider]: own }, ...more }
  }

  const failOf = async (config: ConfigLayer, messages: string | readonly Message[] = 'Hi') => {
    const thrown: unknown = await host.send(config, messages).catch((error: unknown) => error)
    const { error } = await host.stream(config, messages).result
    expect(error?.code).to.equal((thrown as HostError).code)
    return thrown as HostError
  }

  for (const provider of PROVIDERS) {
    for (const { title, settings, pointer, message } of FAULTS) {
      it(`refuse ${title} before anything is sent (${provider})`, async () => {
        const asked = server.requests.length
        const error = await failOf(configFor(provider, settings))
        expect(error).to.include({
          code: 'SETTINGS_INVALID',
          plugin: provider,
          pointer: `/settings/${provider}/${pointer}`,
        })
        expect(error.message).to.match(message).and.not.include(SECRET)
        expect(server.requests).to.have.length(asked)
        const early = await host.open(configFor(provider, settings)).catch((thrown) => thrown)
        expect(early).to.include({ code: 'SETTINGS_INVALID', pointer: error.pointer })
        expect(early.message).to.equal(error.message)
      })
    }

    it(`take a base URL with a path, and with a slash at its end (${provider})`, async () => {
      server.reply = () => ({ status: 400, pieces: ['{"error":{"message":"no"}}'] })
      await failOf(
        configFor(provider, { base_url: `${server.url.replace('/v1', '')}/some/path//` }),
      )
      expect(server.requests.at(-1)?.path).to.match(/^\/some\/path\/[a-z1/]+$/)
    })

    it(`name a proxy that is not there (${provider})`, async () => {
      const error = await failOf(configFor(provider, { proxy: 'http://127.0.0.1:9' }))
      expect(error).to.include({ code: 'PROVIDER_FAILED', retryable: true })
      expect(error.message).to.include('the proxy 127.0.0.1:9 could not be reached')
      expect(error.message).to.include(`Check settings.${provider}.proxy.`)
      expect(error.message).not.to.include('base_url')
    })

    it(`name the status of a proxy that refuses, and the limit where it does not answer (${provider})`, async () => {
      const proxy = createServer()
      proxy.on('connect', ({ url = '' }, socket) => {
        socket.on('end', () => socket.end())
        socket.resume()
        if (url.startsWith('refused')) socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
      })
      await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
      const { port } = proxy.address() as AddressInfo
      const failThrough = (name: string) =>
        failOf(
          configFor(
            provider,
            { base_url: `https://${name}.test`, proxy: `http://127.0.0.1:${port}` },
            { limits: { connect: 0.3, call: 0.3 } },
          ),
        )
      const refused = await failThrough('refused')
      expect(refused.message).to.include('the proxy answered CONNECT with status 502')
      expect(systemCode(refused)).to.equal('PROXY_STATUS_502')
      const silent = await failThrough('silent')
      expect(silent).to.include({ code: 'TIMEOUT', retryable: true })
      expect(silent.message).to.match(/\(limits\.(?:connect|call)\)/)
      proxy.closeAllConnections()
      await new Promise((done) => proxy.close(done))
    })

    it(`say that TLS failed where the server has none (${provider})`, async () => {
      const error = await failOf(
        configFor(provider, { base_url: server.url.replace('http', 'https') }),
      )
      expect(error).to.include({ code: 'PROVIDER_FAILED', retryable: false })
      expect(error.message).to.include(`settings.${provider}.base_url`)
      expect(error.message).to.not.include('NODE_EXTRA_CA_CERTS')
    })

    it(`say that nobody vouches for a certificate (${provider})`, async () => {
      const pem = readFileSync(new URL('fixtures/self-signed.pem', import.meta.url))
      const secure = createTlsServer({ key: pem, cert: pem })
      await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done))
      const { port } = secure.address() as AddressInfo
      const error = await failOf(configFor(provider, { base_url: `https://127.0.0.1:${port}` }))
      secure.closeAllConnections()
      await new Promise((done) => secure.close(done))
      expect(error).to.include({ code: 'PROVIDER_FAILED', retryable: false })
      expect(error.message)
        .to.match(/self-signed certificate/)
        .and.include('NODE_EXTRA_CA_CERTS')
      expect(systemCode(error)).to.equal('DEPTH_ZERO_SELF_SIGNED_CERT')
    })

    it(`have no effort that the config does not know (${provider})`, async () => {
      const error = await failOf(configFor(provider, {}, { reasoning_effort: 'huge' as never }))
      expect(error).to.include({ code: 'CONFIG_INVALID', pointer: '/reasoning_effort' })
      const own = await failOf(configFor(provider, { reasoning_effort: 'huge' }))
      expect(own).to.include({ code: 'SETTINGS_INVALID' })
      expect(own.pointer).to.equal(`/settings/${provider}/reasoning_effort`)
    })
  }
})

describe('files of a request', () => {
  let host: Host
  before(async () => {
    host = await createHost({ plugins: [openai, openaiCompatible, anthropic] })
  })
  after(() => host.close())

  const file = (mediaType: string, size = 3) =>
    ({ type: 'file', mediaType, name: 'it', data: 'A'.repeat(Math.ceil((size * 4) / 3)) }) as const
  const user = (...parts: Message['parts']): Message => ({ role: 'user', parts })
  const MB = 1024 * 1024

  const ask = (provider: string, model: string, messages: readonly Message[], settings = {}) => {
    const base_url = 'http://127.0.0.1:9'
    const own = { api_key: 'sk-test-0123456789', base_url, max_retries: 0, ...settings }
    return host.dryRun({ provider, model, settings: { [provider]: own } }, messages).catch((e) => e)
  }

  const REFUSED = [
    [
      'a sound, by a model that hears none',
      'openai',
      'gpt-4.1',
      'audio/wav',
      3,
      /"gpt-4\.1" does not take/,
    ],
    ['a video', 'anthropic', 'claude-sonnet-4-5', 'video/mp4', 3, /does not take/],
    [
      'a format of images',
      'anthropic',
      'claude-sonnet-4-5',
      'image/tiff',
      3,
      /type that Anthropic does not take/,
    ],
    ['an archive', 'anthropic', 'claude-sonnet-4-5', 'application/zip', 3, /does not take/],
    [
      'a large document',
      'anthropic',
      'claude-sonnet-4-5',
      'application/pdf',
      30 * MB,
      /has 30\.0 MB.*at most 24\.0 MB/,
    ],
    ['a large image', 'openai', 'gpt-4.1', 'image/png', 60 * MB, /60\.0 MB.*at most 50\.0 MB/],
  ] as const

  for (const [title, provider, model, mediaType, size, message] of REFUSED) {
    it(`are refused before they are sent: ${title} (${provider})`, async () => {
      const asked = user({ type: 'text', text: 'Look' }, file(mediaType, size))
      const error: unknown = await ask(provider, model, [asked])
      expect(error).to.include({
        code: 'INVALID_REQUEST',
        plugin: provider,
        pointer: '/messages/0/parts/1',
      })
      expect((error as Error).message).to.match(message)
    })
  }

  it('are refused by a server that takes none', async () => {
    const error: unknown = await ask(
      'openai-compatible',
      'deepseek-chat',
      [user(file('image/png'))],
      {
        preset: 'deepseek',
      },
    )
    expect(error).to.include({ code: 'INVALID_REQUEST', pointer: '/messages/0/parts/0' })
  })

  it('are only named in the results of tools, with a warning', async () => {
    const call = { type: 'tool-call', callId: 'c1', name: 'film', input: {} } as const
    const output = [{ type: 'text', text: 'Seen' }, file('video/mp4'), file('image/png')] as const
    const result = { type: 'tool-result', callId: 'c1', name: 'film', output } as const
    const history = [
      user({ type: 'text', text: 'Film it' }),
      { role: 'assistant', parts: [call] },
      { role: 'tool', parts: [result] },
    ] satisfies readonly Message[]
    for (const [provider, model] of [
      ['anthropic', 'claude-sonnet-4-5'],
      ['openai', 'gpt-4.1'],
      ['openai-compatible', 'm'],
    ] as const) {
      const built: { readonly native: unknown; readonly warnings: readonly string[] } = await ask(
        provider,
        model,
        history,
      )
      const text = JSON.stringify(built.native)
      expect(text, provider).to.include('[file it, video/mp4]').and.include('AAAA')
      expect(text).to.not.include('"media_type":"video/mp4"').and.not.include('data:video/mp4')
    }
  })

  it('become text further up in a conversation, where another model may have taken them', async () => {
    const history = [
      user(file('video/mp4')),
      { role: 'assistant', parts: [{ type: 'text', text: 'Nice.' }] },
      user({ type: 'text', text: 'And?' }),
    ] as const
    const { native } = (await ask('anthropic', 'claude-sonnet-4-5', history)) as { native: object }
    expect(JSON.stringify(native)).to.include('[file it, video/mp4]')
  })
})

describe('tool schemas that APIs refuse', () => {
  let host: Host
  before(async () => {
    host = await createHost({ plugins: [openai, openaiCompatible, anthropic] })
  })
  after(() => host.close())

  const branch = (name: string) => ({
    type: 'object',
    properties: { kind: { const: name }, [name]: { type: 'string' } },
    required: ['kind', name],
  })
  const schemas = {
    'branches at the top': { anyOf: [branch('city'), branch('place')] },
    'all of several': { type: 'object', allOf: [branch('city'), branch('place')] },
    'no type': { properties: { city: { type: 'string' } } },
  }

  for (const provider of PROVIDERS) {
    for (const [title, input_schema] of Object.entries(schemas)) {
      it(`are sent as objects: ${title} (${provider})`, async () => {
        const own = { api_key: 'sk-test-0123456789', base_url: 'http://127.0.0.1:9' }
        const config = { provider, model: 'gpt-4.1', settings: { [provider]: own } }
        const tool = { name: 'look', description: 'Looks', input_schema }
        const seen: { body?: string } = {}
        const server = await new ReplayServer().start()
        server.reply = ({ body }) => {
          seen.body = JSON.stringify(body)
          return { status: 400, pieces: ['{}'] }
        }
        const asked = { ...config, settings: { [provider]: { ...own, base_url: server.url } } }
        await host.send(asked, 'Hi', { tools: [tool] }).catch(() => undefined)
        await server.close()
        const [sent] = toolSchemasIn(JSON.parse(seen.body ?? '{}'))
        expect(sent).to.include({ type: 'object' })
        expect(sent).not.to.have.any.keys('anyOf', 'oneOf', 'allOf')
        expect(sent?.['properties']).to.have.property('city')
      })
    }
  }
})

type Schema = { readonly [key: string]: unknown }
interface Tool {
  readonly parameters?: Schema
  readonly input_schema?: Schema
  readonly function?: { readonly parameters: Schema }
}

function toolSchemasIn({ tools = [] }: { readonly tools?: readonly Tool[] }) {
  return tools.map(
    ({ parameters, input_schema, function: called }) =>
      parameters ?? input_schema ?? called?.parameters,
  )
}
