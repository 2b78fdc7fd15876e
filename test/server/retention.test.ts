import { expect } from 'chai'
import { systemEnvironment } from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { chatBody, Served, user } from './routes/served.ts'

describe('a run whose deltas were kept long enough', () => {
  const storage = memoryStorage()
  let served: Served
  before(async () => {
    served = await Served.start({ storage })
  })
  after(() => served.close())

  /** What the deltas of an answer say, in order. */
  const deltasOf = (text: string): string =>
    [...text.matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta).join('')

  it('reads on every address as it did before, in fewer events', async () => {
    const asked = { model: 'quick', input: 'count', store: true }
    const { json } = await served.ask('/v1/responses', { body: asked })
    const id = String(json['id'])
    await served.ask('/api/chat', { body: chatBody('talk', [user('q', 'count')]) })
    const [run] = await storage.runs.list('ada', 'talk')
    const read = async () => ({
      whole: (await served.ask(`/v1/responses/${id}`)).json,
      streamed: (await served.ask(`/v1/responses/${id}?stream=true`)).text,
      events: (await served.ask(`/runs/${run?.id}/events`)).text,
      history: await served.history('talk'),
    })
    const before = await read()
    const later = Date.now() + 1
    expect(await storage.runs.prune(later, later)).to.equal(2)
    const after = await read()
    expect(after.whole).to.deep.equal(before.whole)
    expect(after.history).to.deep.equal(before.history)
    for (const address of ['streamed', 'events'] as const) {
      expect(deltasOf(after[address])).to.equal(deltasOf(before[address])).and.include('number 60')
      expect(after[address].length).to.be.below(before[address].length / 2)
    }
    expect(await storage.runs.prune(later, later)).to.equal(0)
  })

  it('is found by a server when it starts', async () => {
    const other = await Served.start({ storage })
    await other.ask('/api/chat', { body: chatBody('old', [user('q', 'hi')]) })
    await other.close()
    const [run] = await storage.runs.list('ada', 'old')
    expect(run).to.not.have.property('prunedAt')
    const now = () => Date.now() + 10_000
    const environment = { ...systemEnvironment, now, sleep: never }
    const third = await Served.start({ storage, environment, retention: 9000 })
    await third.close()
    const [pruned] = await storage.runs.list('ada', 'old')
    expect(pruned).to.have.property('prunedAt')
  })
})

/** Resolves when nobody needs it any more. */
function never(_: number, signal?: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
  })
}
