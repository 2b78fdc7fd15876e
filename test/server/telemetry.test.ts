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

  it('is nothing where it is not asked for', async () => {
    await ask('calculate')
    await served.close()
    expect(told).to.deep.equal([])
  })
})
