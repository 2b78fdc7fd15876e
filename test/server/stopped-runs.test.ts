import { expect } from 'chai'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../src/agent/storage/index.ts'
import type { Log } from '../../src/plugin/index.ts'
import type { PublishedModels } from '../../src/server/index.ts'
import { FailingStorage } from '../helpers/failing-storage.ts'
import { chatBody, Served, user } from './routes/served.ts'

const TALK = 'talk'
const WORDS = Array.from({ length: 30 }, (_, at) => `word${at}`).join(' ')
const slow = { settings: { scripted: { delay_ms: 20, script: [{ then: { text: WORDS } }] } } }
const MODELS: PublishedModels = {
  steady: { config: { on_interrupt: 'resume', ...slow } },
  plain: { config: slow },
}

describe('the runs of a server', () => {
  let storage: Storage
  let served: Served[]
  let logged: Parameters<Log>[0][]
  beforeEach(() => {
    storage = memoryStorage()
    served = []
    logged = []
  })
  afterEach(async () => {
    for (const one of served) await one.close()
  })

  async function serve(over: Storage = storage): Promise<Served> {
    const log: Log = (entry) => void logged.push(entry)
    const one = await Served.start({ storage: over, models: MODELS, log })
    served.push(one)
    return one
  }

  /** The lines of runs in the log, by their status. */
  const runLines = () =>
    logged.flatMap(({ message, status }) => (message === 'run' ? [String(status)] : []))

  const asking = (agent: string) => ({ body: chatBody(TALK, [user('q', 'go')], { agent }) })

  /** Asks, and reads until the answer begins. */
  async function begun(one: Served, agent: string) {
    const response = await one.fetch('/api/chat', asking(agent))
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('word3')) text += (await reader.read()).value ?? expect.fail(text)
    const rest = async (): Promise<string> => {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return text
        text += value
      }
    }
    return { rest }
  }

  const lastRun = async () => {
    const run = await storage.runs.last('ada', TALK)
    return run ?? expect.fail('There is no run.')
  }

  it('LT-10 are left to the next server where their config says so, and clients lose the connection', async () => {
    const first = await serve()
    const { rest } = await begun(first, 'steady')
    const broken = rest().then(
      () => 'ended',
      (error: unknown) => (error as Error).message,
    )
    await first.close()
    expect(await broken).to.include('Another one goes on with the run.')
    const { id, status } = await lastRun()
    expect(status).to.equal('active')
    expect(await storage.runs.leases()).to.deep.equal([{ runId: id, holder: '', expiresAt: 0 }])
    const next = await serve()
    const { text } = await next.ask(`/api/chat/${TALK}/stream`)
    expect(text).to.include('word29').and.include('[DONE]')
    expect(await lastRun()).to.include({ id, status: 'done' })
    expect(runLines()).to.deep.equal(['interrupted', 'done'])
    expect(await next.history(TALK)).to.have.length(2)
  })

  it('end as aborted where their config does not', async () => {
    const first = await serve()
    const { rest } = await begun(first, 'plain')
    const told = rest()
    await first.close()
    expect(await told).to.include('"type":"abort"')
    expect((await lastRun()).status).to.equal('aborted')
    expect(runLines()).to.deep.equal(['aborted'])
  })

  it('count once where another server takes them, and the one that lost them says so', async () => {
    const first = await serve()
    const { rest } = await begun(first, 'plain')
    const told = rest()
    const { id, owner } = await lastRun()
    // As after the lease of a process that was frozen.
    const taken = await storage.runs.seize(owner, id, { holder: 'other', expiresAt: 1e15 })
    expect(taken?.id).to.equal(id)
    const ending = {
      type: 'error',
      error: { code: 'RUN_INTERRUPTED', message: 'x' },
      runId: id,
      seq: taken?.nextSeq ?? 0,
    } as const
    const end = { runId: id, holder: 'other', status: 'interrupted', events: [ending] } as const
    await storage.runs.end({ ...end, entries: [], approvals: [] }, 0)
    await told
    await first.close()
    expect(runLines()).to.deep.equal([])
    expect(logged.filter(({ code }) => code === 'RUN_INTERRUPTED')).to.have.length(1)
  })

  it('count once where another server stops them', async () => {
    const first = await serve()
    const other = await serve()
    const { rest } = await begun(first, 'plain')
    const told = rest()
    const { id } = await lastRun()
    expect((await other.ask(`/runs/${id}/stop`, { method: 'POST' })).status).to.be.below(300)
    expect(await told).to.include('"type":"abort"')
    await first.close()
    expect(runLines()).to.deep.equal(['aborted'])
  })

  it('are told as interrupted by the server that ends them after a crash', async () => {
    const first = await serve()
    const { rest } = await begun(first, 'steady')
    const broken = rest().catch(() => 'broken')
    await first.close()
    await broken
    const one = await Served.start({
      storage,
      models: { steady: { config: slow } },
      log: (entry) => void logged.push(entry),
    })
    served.push(one)
    expect((await lastRun()).status).to.equal('interrupted')
    expect(runLines()).to.deep.equal(['interrupted', 'interrupted'])
    const { id } = await lastRun()
    expect(logged.findLast(({ message }) => message === 'run')).to.include({
      runId: id,
      identity: 'ada',
      model: 'steady',
      steps: 1,
    })
    const { text } = await one.ask('/metrics')
    expect(text).to.match(
      /run_seconds_count\{model="steady",identity="ada",status="interrupted"\} 1/,
    )
  })

  it('are told as failed where the storage fails, and end when it answers again', async () => {
    const fault = { failure: 'before', first: 3, lasts: 1, isRetryable: false } as const
    const failing = new FailingStorage(fault, ['counters.take', 'counters.add'])
    const one = await serve(failing.over(storage))
    const { text } = await one.ask('/api/chat', asking('plain'))
    expect(text).to.include('STORAGE_FAILED')
    const { id } = await lastRun()
    expect(runLines()).to.deep.equal(['failed'])
    const errors = logged.filter(({ level, runId }) => level === 'error' && runId === id)
    expect(errors.map(({ code }) => code)).to.deep.equal(['STORAGE_FAILED'])
    // Its events end when its end is stored.
    await one.ask(`/runs/${id}/events`)
    expect((await lastRun()).status).to.equal('failed')
    expect((await one.ask('/api/chat', asking('plain'))).text).to.include('[DONE]')
  })
})
