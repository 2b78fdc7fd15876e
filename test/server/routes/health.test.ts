import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import { type Environment, systemEnvironment } from '../../../src/agent/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { createHost } from '../../../src/core/index.ts'
import { createServer } from '../../../src/server/index.ts'
import { Served } from './served.ts'

describe('whether a server can work', () => {
  it('is looked for once, however many ask at a time, and again by whoever asks later', async () => {
    let looks = 0
    const storage = memoryStorage()
    const check = async () => {
      looks++
      await storage.check()
      if (looks === 2) throw new Error('full')
    }
    const served = await Served.start({ storage: { ...storage, check } })
    const ask = async (count: number) => {
      const answers = Array.from({ length: count }, () => served.ask('/readyz'))
      return new Set((await Promise.all(answers)).map(({ status }) => status))
    }
    expect([...(await ask(50)), looks]).to.deep.equal([200, 1])
    expect([...(await ask(50)), looks]).to.deep.equal([500, 2])
    expect([...(await ask(1)), looks]).to.deep.equal([200, 3])
    await served.close()
  })

  it('is denied after five seconds in which the storage did not answer', async () => {
    const sleep: Environment['sleep'] = async (milliseconds, signal) => {
      if (milliseconds !== 5000) await systemEnvironment.sleep(milliseconds, signal)
    }
    const served = await Served.start({
      storage: { ...memoryStorage(), check: () => new Promise(() => undefined) },
      environment: { ...systemEnvironment, sleep },
    })
    expect((await served.ask('/readyz')).status).to.equal(503)
    await served.close()
  })

  it('is denied while the server drains, also after a reload, and all else is served', async () => {
    const host = await createHost({ plugins: [scripted], config: { provider: 'scripted' } })
    const options = {
      host,
      storage: memoryStorage(),
      anonymous: { id: 'me', role: 'admin' },
    } as const
    const server = await createServer(options)
    const ask = async (path: string) => {
      const response = await server.fetch(new Request(`http://localhost${path}`))
      return [response.status, await response.text()]
    }
    expect(await ask('/readyz')).to.deep.equal([200, 'ok'])
    server.drain()
    await server.reload(options)
    const [status, text] = await ask('/readyz')
    expect(status).to.equal(503)
    expect(text).to.include('The server is stopping.')
    expect(await ask('/healthz')).to.deep.equal([200, 'ok'])
    expect((await ask('/v1/models'))[0]).to.equal(200)
    await server.close()
    await host.close()
  })

  it('is told with and without the prefix of a server, to anybody and at any host name', async () => {
    const served = await Served.start({ basePath: '/team/chat', hosts: ['chat.example.com'] })
    const headers = { authorization: '' }
    for (const path of ['/healthz', '/readyz', '/team/chat/healthz', '/team/chat/readyz']) {
      const { status, text } = await served.ask(path, { headers })
      expect([status, text], path).to.deep.equal([200, 'ok'])
    }
    await served.close()
  })
})
