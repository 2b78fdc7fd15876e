import { inspect } from 'node:util'
import { expect } from 'chai'
import { memoryStorage } from '../../../src/agent/index.ts'
import { createHost, type Host, HostError } from '../../../src/core/index.ts'
import { createServer, listen, type ServerOptions } from '../../../src/server/index.ts'

/** Options as untyped code may give them, each with the place and a part of what is said of it. */
const FAULTS: readonly (readonly [options: object | undefined, pointer: string, told: string])[] = [
  [undefined, '/host', 'needs "host"'],
  [{ storage: 'memory' }, '/storage', 'memoryStorage()'],
  [{ keepResponse: 3 }, '/keepResponse', 'Did you mean "keepResponses"?'],
  [{ limits: { request_per_minute: 1 } }, '/limits/request_per_minute', '"requests_per_minute"?'],
  [{ limits: { runs: -1 } }, '/limits/runs', 'above 0'],
  [{ limits: { runs: Number.NaN } }, '/limits/runs', 'above 0'],
  [{ models: ['m'] }, '/models', 'an object'],
  [{ models: { m: { model: 'scripted-1' } } }, '/models/m/model', 'It takes title, config'],
  [{ models: { 'a/b': 'scripted-1' } }, '/models/a~1b', 'an object'],
  [{ agents: { a: {} } }, '/agents', 'a list of texts'],
  [{ anonymous: 'me' }, '/anonymous', 'an identity'],
  [{ anonymous: { id: 'me' } }, '/anonymous', 'role: "admin"'],
  [{ authenticate: 'token' }, '/authenticate', 'a function'],
  [{ instructions: 'Be kind.' }, '/instructions', 'a function'],
  [{ retention: -1 }, '/retention', 'milliseconds'],
  [{ trustsProxy: 'yes' }, '/trustsProxy', 'true or false'],
  [{ askAllowedOn: ['chat'] }, '/askAllowedOn', 'chat-completions'],
  [{ hosts: ['localhost', 'a.example:80'] }, '/hosts/1', 'give "a.example"'],
  [{ lease: { heartbeet: 3 } }, '/lease/heartbeet', 'Did you mean "heartbeat"?'],
  [{ lease: { heartbeat: 0, expiry: 3 } }, '/lease/heartbeat', 'above 0'],
  [{ telemetry: { contents: true } }, '/telemetry/contents', 'Did you mean "content"?'],
  [{ telemetry: { content: 'no' } }, '/telemetry/content', 'true or false'],
  [{ pushNotifications: { allow_private: true } }, '/pushNotifications/allow_private', 'It takes'],
  [{ environment: { now: Date.now } }, '/environment', '"elapsed"'],
  [{ models: { m: { title: 5 } } }, '/models/m/title', 'a text'],
  [{ basePath: '' }, '/basePath', 'a path'],
  [{ basePath: 'ai' }, '/basePath', '"/braidwork"'],
  [{ basePath: '/ai/' }, '/basePath', 'without a slash'],
]

describe('the options of createServer', () => {
  let host: Host
  let usual: ServerOptions
  before(async () => {
    host = await createHost({ plugins: ['scripted'] })
    usual = { host, storage: memoryStorage(), anonymous: { id: 'me', role: 'user' } }
  })
  after(() => host.close())

  const faultOf = async (work: Promise<unknown>): Promise<HostError> => {
    const error: unknown = await work.catch((thrown: unknown) => thrown)
    if (!HostError.is(error)) throw new Error('It was not refused.', { cause: error })
    return error
  }

  for (const [options, pointer, told] of FAULTS) {
    it(`are refused with ${inspect(options)}`, async () => {
      const given = options && { ...usual, ...options }
      const error = await faultOf(createServer(given as ServerOptions))
      expect(error).to.include({ code: 'OPTION_INVALID', pointer })
      expect(error.message).to.include(told)
    })
  }

  it('are checked when they are replaced too, and stay as they were', async () => {
    const server = await createServer(usual)
    const { code } = await faultOf(server.reload({ ...usual, hosts: 'example.org' } as never))
    expect(code).to.equal('OPTION_INVALID')
    expect((await server.fetch(new Request('http://localhost/healthz'))).status).to.equal(200)
    await server.close()
  })

  for (const [options, pointer] of [
    [{ hostname: 5 }, '/hostname'],
    [{ grace: '5' }, '/grace'],
    [{ timeouts: { headers: 5, requests: 5 } }, '/timeouts/requests'],
    [{ timeouts: { headers: 5, request: '5' } }, '/timeouts/request'],
  ] as const) {
    it(`listen with no ${inspect(options)}`, async () => {
      const server = await createServer(usual)
      const error = await faultOf(listen(server, { port: 0, ...options } as never))
      expect(error).to.include({ code: 'OPTION_INVALID', pointer })
      await server.close()
    })
  }

  it('may be undefined', async () => {
    await (await createServer({ ...usual, basePath: undefined })).close()
  })

  for (const port of [-1, 65_536, 1.5, '8787', undefined]) {
    it(`listen at no port ${inspect(port)}`, async () => {
      const server = await createServer(usual)
      const error = await faultOf(listen(server, { port } as never))
      expect(error).to.include({ code: 'OPTION_INVALID', pointer: '/port' })
      await server.close()
    })
  }
})
