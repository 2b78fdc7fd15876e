import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { createRuntime } from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { factFormatOf } from '../../src/server/facts.ts'
import calculator from '../../tools/calculator/index.ts'
import { chatBody, Served, user } from './routes/served.ts'

interface Line {
  readonly type: string
  readonly event_type: string
  readonly turnId: string
  readonly sessionId: string
  readonly sequence: number
  readonly payload: { readonly status?: string; readonly message?: string }
}

describe('the facts of a run over HTTP', () => {
  let served: Served
  const start = (storage = memoryStorage()) =>
    Served.start({ storage }, { plugins: [scripted, calculator] }, async (host) => ({
      runtime: await createRuntime({
        host,
        agents: [{ id: 'worker', model_id: 'm' }],
        models: [{ id: 'm', provider_id: 'scripted', upstream_model: 'scripted-1' }],
      }),
    }))
  beforeEach(async () => {
    served = await start()
  })
  afterEach(() => served.close())

  async function ran(text: string, more: object = {}, as: 'ada' | 'bob' = 'ada'): Promise<string> {
    const body = { ...chatBody('talk', [user(`u-${text}`, text)]), ...more }
    const { headers } = await served.ask('/api/chat', { body, as })
    return headers.get('x-run-id') ?? expect.fail('no run')
  }

  async function factsOf(id: string, query = '', as: 'ada' | 'bob' = 'ada') {
    const { text, headers, status } = await served.ask(`/runs/${id}/facts${query}`, { as })
    if (status !== 200) return { status, lines: [] }
    expect(headers.get('content-type')).to.equal('application/x-ndjson')
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
    return { status, lines }
  }

  it('are lines of JSON, from the begin of the session to the end of the turn', async () => {
    const id = await ran('calculate', { agent: 'quick' })
    const { lines } = await factsOf(id)
    expect(lines[0]).to.include({ type: 'session.created', sessionId: 'talk', turnId: id })
    expect(lines.at(-1)).to.include({ type: 'run.status' })
    const types = new Set(lines.map(({ type }) => type))
    expect([...types]).to.include.members([
      'turn.started',
      'tool.catalog.resolved',
      'model.requested',
      'tool.started',
      'tool.result',
      'turn.completed',
    ])
    const records = (await factsOf(id, '?format=agenttool')).lines
    expect(records.map(({ event_type }) => event_type)).to.include('tool.invocation')
  })

  it('LR-14 go on in the next turn of the session', async () => {
    const first = (await factsOf(await ran('hello', { agent: 'quick' }))).lines
    const second = (await factsOf(await ran('more', { agent: 'quick' }))).lines
    expect(second[0]?.type).to.equal('turn.submitted')
    expect(second[0]?.sequence).to.be.above(first.at(-1)?.sequence ?? Number.POSITIVE_INFINITY)
  })

  it('are of their owner alone', async () => {
    const id = await ran('hello', { agent: 'quick' })
    expect((await factsOf(id, '', 'bob')).status).to.equal(404)
    expect((await factsOf('none')).status).to.equal(404)
    expect((await factsOf(id, '?format=xml')).status).to.equal(400)
    expect(() => factFormatOf('xml'))
      .to.throw('agenttool')
      .with.property('pointer', '/format')
  })

  it('tell only an admin which models were asked', async () => {
    const routed = async (as: 'ada' | 'bob') => {
      const { lines } = await factsOf(await ran('hello', { agent: 'worker' }, as), '', as)
      return lines.some(({ type }) => type === 'routing.decided')
    }
    expect(await routed('ada')).to.equal(true)
    expect(await routed('bob')).to.equal(false)
  })

  it('tell of a failure what clients may read', async () => {
    const { lines } = await factsOf(await ran('break', { agent: 'quick' }))
    const failed = lines.find(({ type }) => type === 'runtime.error')
    expect(failed?.payload).to.deep.equal({
      code: 'STREAM_INTERRUPTED',
      message: 'The stream of the model API ended too early.',
    })
  })
})
