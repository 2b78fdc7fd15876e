import { expect } from 'chai'
import { type Environment, systemEnvironment } from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../src/agent/storage/index.ts'
import type { ServerOptions } from '../../src/server/index.ts'
import { SERVED } from './clients/scripts.ts'
import { chatBody, Served, user } from './routes/served.ts'

/** Upkeep of a server that is told when to look, and by which nothing is stored in the meantime. */
class Looks {
  #look: () => void = () => undefined
  #done: () => void = () => undefined

  /** Once more, to its end. */
  async next(): Promise<void> {
    const done = new Promise<void>((resolve) => {
      this.#done = resolve
    })
    this.#look()
    await done
  }

  readonly environment: Environment = {
    ...systemEnvironment,
    sleep: (milliseconds, signal) => {
      if (milliseconds !== EVERY) return systemEnvironment.sleep(milliseconds, signal)
      this.#done()
      return new Promise((resolve, reject) => {
        this.#look = resolve
        signal?.addEventListener('abort', () => reject(new Error('closed')), { once: true })
      })
    },
  }
}

const EVERY = 7_777

describe('a run that was answered, and that nobody went on with', () => {
  let storage: Storage
  let served: Served[]
  beforeEach(() => {
    storage = memoryStorage()
    served = []
  })
  afterEach(async () => {
    for (const one of served) await one.close()
  })

  async function serve(options: Partial<ServerOptions> = {}): Promise<Served> {
    const one = await Served.start({ storage, ...options })
    served.push(one)
    return one
  }

  /** Waits for an approval, in a server that is gone then. */
  async function suspended(): Promise<{ readonly runId: string; readonly approvalId: string }> {
    const first = await serve()
    const body = chatBody('talk', [user('q', 'calculate')], { agent: 'careful' })
    const { headers } = await first.ask('/api/chat', { body })
    await first.close()
    const runId = headers.get('x-run-id') ?? ''
    const [approval] = await storage.approvals.list('ada', runId)
    return { runId, approvalId: approval?.id ?? '' }
  }

  const answer = (id: string) =>
    storage.approvals.answer('ada', id, { approved: true, answeredAt: Date.now() })

  it('goes on when a server begins', async () => {
    const { runId, approvalId } = await suspended()
    await answer(approvalId)
    const next = await serve()
    const { text } = await next.ask(`/runs/${runId}/events`)
    expect(text).to.include('"approved":true').and.include('event: finish')
    expect((await next.history('talk')).at(-1)?.parts.at(-1))
      .to.have.property('text')
      .that.includes('"result":"42"')
    expect(await storage.runs.load('ada', runId)).to.include({ status: 'done' })
  })

  it('goes on when a server that lives looks for it', async () => {
    const { runId, approvalId } = await suspended()
    const looks = new Looks()
    const lease = { heartbeat: EVERY / 1000, expiry: 30 }
    const next = await serve({ environment: looks.environment, lease })
    await looks.next()
    expect(await storage.runs.load('ada', runId)).to.include({ status: 'suspended' })
    await answer(approvalId)
    await looks.next()
    const { text } = await next.ask(`/runs/${runId}/events`)
    expect(text).to.include('event: finish')
    expect((await next.history('talk')).at(-1)?.parts.at(-1))
      .to.have.property('text')
      .that.includes('"result":"42"')
  })

  it('waits on where nobody has answered, though its approval has expired', async () => {
    const { runId } = await suspended()
    const now = () => Date.now() + 10 ** 9
    await serve({ environment: { ...systemEnvironment, now } })
    expect(await storage.runs.load('ada', runId)).to.include({ status: 'suspended' })
  })

  it('waits on where its model is published no more, and says so once, and to whoever asks', async () => {
    const { runId, approvalId } = await suspended()
    await answer(approvalId)
    const lines: { readonly message: string; readonly [key: string]: unknown }[] = []
    const { careful: _, ...models } = SERVED.server.models
    const looks = new Looks()
    const lease = { heartbeat: EVERY / 1000, expiry: 30 }
    const { environment } = looks
    const next = await serve({ models, environment, lease, log: (line) => lines.push(line) })
    await looks.next()
    const told = lines.filter(({ code }) => code === 'MODEL_UNPUBLISHED')
    expect(told).to.have.length(1)
    expect(told[0]).to.include({ runId }).and.have.property('message').that.includes('"careful"')
    const again = await next.ask(`/approvals/${approvalId}`, { body: { approved: true } })
    expect(again.status).to.equal(404)
    expect(again.text).to.include('MODEL_UNPUBLISHED')
    expect(await storage.runs.load('ada', runId)).to.include({ status: 'suspended' })
    const asked = chatBody('talk', [user('q2', 'hi')])
    expect((await next.ask('/api/chat', { body: asked })).status).to.equal(200)
    expect(await storage.runs.load('ada', runId)).to.include({ status: 'aborted' })
  })
})
