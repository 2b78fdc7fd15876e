import { expect } from 'chai'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../src/agent/storage/index.ts'
import type { HostOptions } from '../../src/core/index.ts'
import type { Context } from '../../src/plugin/index.ts'
import { caller, feature } from '../helpers/plugins.ts'
import { chatBody, Served, user } from './routes/served.ts'

describe('the values of plugins on a server', () => {
  let counts: unknown[]
  beforeEach(() => {
    counts = []
  })

  const said = { role: 'assistant', parts: [{ type: 'text', text: 'fine' }] }
  const model = caller('model', [], {
    call: (native: unknown, state: unknown) => [[], [said], native, state],
  })
  const counter = feature('counter', {
    init: async (_config: unknown, state: object, { storage }: Context) => {
      const count = Number((await storage.get('count')) ?? 0) + 1
      await storage.set('count', count)
      counts.push(count)
      return state
    },
  })
  const start = (storage: Storage, own: Partial<HostOptions> = {}) =>
    Served.start(
      { storage, models: { quick: {} } },
      { plugins: [model, counter], config: {}, ...own },
    )
  const say = async (served: Served, id: string) => {
    const answer = await served.ask('/api/chat', { body: chatBody('talk', [user(id, 'hello')]) })
    expect(answer.status, answer.text).to.equal(200)
  }

  it('are in the storage of the server, where its host was given none', async () => {
    const storage = memoryStorage()
    for (const id of ['m1', 'm2']) {
      const served = await start(storage)
      await say(served, id)
      await served.close()
    }
    expect(counts).to.deep.equal([1, 2])
  })

  it('are deleted with their conversation', async () => {
    const served = await start(memoryStorage())
    await say(served, 'm1')
    await served.ask('/api/conversations/talk', { method: 'DELETE' })
    await say(served, 'm2')
    await served.close()
    expect(counts).to.deep.equal([1, 1])
  })

  it('are in the storage of the host, where it was given one', async () => {
    const own = memoryStorage()
    for (const id of ['m1', 'm2']) {
      const served = await start(memoryStorage(), { storage: own })
      await say(served, id)
      await served.close()
    }
    expect(counts).to.deep.equal([1, 2])
  })
})
