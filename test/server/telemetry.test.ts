import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect } from 'chai'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { chatBody, Served, user } from './routes/served.ts'

interface Told {
  readonly run: { readonly id: string }
  readonly event: { readonly type: string; readonly seq: number }
}

const CHANNEL = 'braidwork:run-event'

describe('the telemetry of a server', () => {
  let told: Told[]
  let served: Served
  const listen = (message: unknown) => void told.push(message as Told)
  beforeEach(() => {
    told = []
    subscribe(CHANNEL, listen)
  })
  afterEach(async () => {
    unsubscribe(CHANNEL, listen)
    await served.close()
  })

  const ask = async (text: string, telemetry?: object) => {
    served = await Served.start(telemetry ? { telemetry } : {})
    const body = { ...chatBody('talk', [user(`u-${text}`, text)]), agent: 'careful' }
    const { headers } = await served.ask('/api/chat', { body })
    return headers.get('x-run-id')
  }

  it('is each stored event of a leg on a channel of Node, in order, when the leg is over', async () => {
    const id = await ask('calculate', {})
    await served.close()
    expect(told.map(({ event }) => event.seq)).to.deep.equal([...told.keys()])
    expect(told.at(-1)?.event.type).to.equal('finish')
    expect(told[0]?.run).to.deep.equal({ id, owner: 'ada', conversationId: 'talk' })
  })

  it('is also of a run whose process has gone, and that ends as interrupted', async () => {
    const storage = memoryStorage()
    const run = { id: 'left', owner: 'ada', order: { agent: 'quick' } }
    await storage.runs.start(run, { holder: '', expiresAt: 0 }, { entries: [] }, 1)
    const begun = { type: 'start', requestId: 'q', runId: 'left', seq: 0, at: 1 } as const
    await storage.runs.append('', [{ runId: 'left', events: [begun] }])
    served = await Served.start({ storage, telemetry: {} })
    await served.close()
    expect(told.map(({ run: { id }, event }) => [id, event.type])).to.deep.equal([
      ['left', 'start'],
      ['left', 'error'],
    ])
  })

  for (const [path, body] of [
    ['/v1/chat/completions', { messages: [{ role: 'user', content: 'wait' }] }],
    ['/v1/messages', { messages: [{ role: 'user', content: 'wait' }], max_tokens: 99 }],
    ['/v1/responses', { input: 'wait', store: false }],
  ] as const) {
    it(`is also of a run that is not stored and whose client has left: ${path}`, async () => {
      const settings = {
        scripted: { script: [{ then: { text: 'a b c d e f' } }], delay_ms: 60_000 },
      }
      const models = { slow: { config: { provider: 'scripted', settings } } }
      served = await Served.start({ models, telemetry: {}, cancelAfter: 0 })
      const response = await served.fetch(path, { body: { model: 'slow', stream: true, ...body } })
      await response.body?.cancel()
      await served.close()
      expect(told.map(({ event }) => event.seq)).to.deep.equal([...told.keys()])
      expect(told.at(-1)?.event.type).to.equal('abort')
      expect(told[0]?.run.id).to.equal(response.headers.get('x-run-id'))
    })
  }

  it('keeps no run that is not stored once it is told', async () => {
    served = await Served.start({ telemetry: {} })
    const body = { model: 'quick', messages: [{ role: 'user', content: 'hello' }] }
    const { headers } = await served.ask('/v1/chat/completions', { body })
    await served.close()
    const { status } = await served.ask(`/runs/${headers.get('x-run-id')}/events`)
    expect([told.at(-1)?.event.type, status]).to.deep.equal(['finish', 404])
  })

  it('is nothing where it is not asked for', async () => {
    await ask('calculate')
    await served.close()
    expect(told).to.deep.equal([])
  })
})
