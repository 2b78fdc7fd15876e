import { expect } from 'chai'
import { type Environment, systemEnvironment } from '../../../src/agent/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
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
