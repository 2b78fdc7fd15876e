import { createRequire } from 'node:module'
import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { createHost, type Host } from '../../src/core/index.ts'
import { createServer, LOCAL, type ServerOptions } from '../../src/server/index.ts'

/** As far as the tests use it. */
interface HonoApp {
  all(path: string, answer: (c: { readonly req: { readonly raw: Request } }) => unknown): this
  request(url: string): Promise<Response>
}

const ofServer = createRequire(new URL('../../src/server/package.json', import.meta.url))
const { Hono } = ofServer('hono') as { readonly Hono: new () => HonoApp }

describe('createServer', () => {
  let host: Host
  before(async () => {
    host = await createHost({ plugins: [scripted] })
  })
  after(() => host.close())

  for (const [lacking, says] of [
    ['host', 'createServer needs "host", the result of "await createHost(…)".'],
    [
      'storage',
      'createServer needs "storage", such as memoryStorage() or "await openStorage(…)" of braidwork/store.',
    ],
    [
      'anonymous',
      'createServer needs "authenticate", "storedTokens" or "anonymous", to know who may call the server.',
    ],
  ] as const) {
    it(`says that it lacks "${lacking}"`, async () => {
      const whole = { host, storage: memoryStorage(), anonymous: LOCAL }
      const given = { ...whole, [lacking]: undefined } as unknown as ServerOptions
      const error = await createServer(given).catch((thrown: unknown) => thrown)
      expect(error).to.include({ code: 'OPTION_INVALID', message: says })
    })
  }

  it('says that a storage or a host is awaited first', async () => {
    for (const name of ['host', 'storage']) {
      const whole = { host, storage: memoryStorage(), anonymous: LOCAL }
      const given = { ...whole, [name]: Promise.resolve() } as unknown as ServerOptions
      const error = await createServer(given).catch((thrown: unknown) => thrown)
      const message = `"${name}" of createServer is a promise: await it.`
      expect(error).to.include({ code: 'OPTION_INVALID', pointer: `/${name}`, message })
    }
  })

  it('is below its "basePath" in an application of Hono', async () => {
    const models = { a: { config: {} } }
    const own = { host, storage: memoryStorage(), anonymous: LOCAL, models, basePath: '/ai' }
    const server = await createServer(own)
    const app = new Hono().all('/ai/*', (c) => server.fetch(c.req.raw))
    const card = await app.request('http://localhost/ai/.well-known/agent-card.json')
    expect(await card.text()).to.include('http://localhost/ai/a2a/a')
    expect((await app.request('http://localhost/other')).status).to.equal(404)
    await server.close()
  })
})
