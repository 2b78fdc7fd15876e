import { expect } from 'chai'
import {
  type AgentRuntime,
  createRuntime,
  type RunOptions,
  Steering,
} from '../../../src/agent/index.ts'
import { HostError, type PartialEvent, type RunEvent } from '../../../src/plugin/index.ts'
import { scriptedHost } from '../../helpers/hosts.ts'
import { schema } from '../../helpers/plugins.ts'
import { ENDPOINT, type Fake, FakeBackend, said } from './fake-backend.ts'

const FAR = { id: 'far', endpoint: ENDPOINT }
const LOCAL = { id: 'local' }

async function thrownBy(work: Promise<unknown>): Promise<HostError> {
  const error = await work.then(
    () => expect.fail('nothing was thrown'),
    (thrown: unknown) => thrown,
  )
  return HostError.is(error) ? error : expect.fail(String(error))
}

describe('the run of a remote agent', () => {
  const open: AgentRuntime[] = []
  afterEach(async () => {
    for (const runtime of open.splice(0)) await runtime.host.close()
  })

  async function made(fake: Fake = {}) {
    const backend = new FakeBackend(fake)
    const host = await scriptedHost()
    const runtime = await createRuntime({ host, agents: [FAR, LOCAL], backends: [backend] })
    open.push(runtime)
    return { runtime, backend }
  }

  async function ran(fake: Fake, options: Partial<RunOptions> = {}) {
    const { runtime, backend } = await made(fake)
    const stream = await runtime.run('far', { messages: 'Hello', ...options })
    const events: RunEvent[] = []
    for await (const event of stream) events.push(event)
    return { events, types: events.map(({ type }) => type), result: await stream.result, backend }
  }

  it('AW-03 has the events of a run, and neither model nor plugins nor tools', async () => {
    const { types, result, backend } = await ran({}, { conversationId: 'talk' })
    expect(types).to.deep.equal([
      'start',
      'step-start',
      'text-start',
      'text-delta',
      'text-end',
      'step-finish',
      'finish',
    ])
    const answer = { role: 'assistant', parts: [{ type: 'text', text: 'Hello' }] }
    expect(result).to.deep.include({ status: 'done', finishReason: 'stop', steps: 1 })
    expect(result.messages).to.deep.equal([answer])
    expect(result.termination).to.deep.equal({ reason: 'natural_end' })
    const [order] = backend.orders
    expect(order?.messages).to.have.length(1)
    expect(order?.conversationKey).to.equal('talk')
  })

  describe('whose agent repeats its token', () => {
    const TOKEN = 'wt-Zq8Lk2vXr7Tn4Bp9'
    const endpoint = { ...ENDPOINT, auth: { type: 'bearer', token: TOKEN } } as const

    async function told(ask: NonNullable<Fake['ask']>) {
      const host = await scriptedHost()
      const backends = [new FakeBackend({ ask })]
      const runtime = await createRuntime({ host, agents: [{ id: 'far', endpoint }], backends })
      open.push(runtime)
      const events: RunEvent[] = []
      const stream = await runtime.run('far', { messages: 'Hello' })
      for await (const event of stream) events.push(event)
      return { events, result: await stream.result }
    }

    it('masks it in texts, also across deltas, and in data', async () => {
      const { events, result } = await told(async function* () {
        yield [{ type: 'text-start', id: 't' }]
        yield [{ type: 'text-delta', id: 't', delta: `It is Bearer ${TOKEN.slice(0, 9)}` }]
        yield [{ type: 'text-delta', id: 't', delta: `${TOKEN.slice(9)}. And wt-` }]
        yield [{ type: 'text-end', id: 't', providerMetadata: { a2a: { contextId: TOKEN } } }]
      })
      expect(JSON.stringify([events, result])).to.not.include(TOKEN)
      expect(JSON.stringify(result.messages)).to.include('It is Bearer ***. And wt-')
    })

    it('masks it in warnings and errors, and in their causes', async () => {
      const { events, result } = await told(async function* ({ warn }) {
        warn?.(`warned of ${TOKEN}`)
        yield []
        const facts = { cause: new Error(`Bearer ${TOKEN}`) }
        throw new HostError('REMOTE_AGENT_FAILED', `It refused ${TOKEN}`, facts)
      })
      expect(JSON.stringify(events)).to.not.include(TOKEN)
      expect(result.warnings).to.deep.equal(['warned of ***'])
      if (result.status !== 'failed') expect.fail(result.status)
      expect(result.error.message).to.equal('It refused ***')
      expect(String(result.error.cause)).to.equal('Error: Bearer ***')
    })
  })

  it('AW-03 is planned by its backend alone: without one it is told, and so is a bad endpoint', async () => {
    const host = await scriptedHost()
    const bad = { ...ENDPOINT, options: { bad: 1 } }
    const agents = [
      FAR,
      { id: 'bad', endpoint: bad },
      { id: 'mcp', endpoint: { ...ENDPOINT, backend: 'mcp' } },
    ]
    const runtime = await createRuntime({ host, agents, backends: [new FakeBackend()] })
    open.push(runtime)
    const other = await thrownBy(runtime.run('mcp', { messages: 'Hi' }))
    expect(other).to.include({ code: 'UNSUPPORTED_REMOTE_BACKEND', pointer: '/endpoint/backend' })
    expect(other.message).to.include('needs the backend "mcp"').and.include('has "a2a"')
    const refused = await thrownBy(runtime.run('bad', { messages: 'Hi' }))
    expect(refused).to.include({
      code: 'INVALID_REMOTE_ENDPOINT_CONFIG',
      pointer: '/endpoint/options/bad',
    })
    const none = await createRuntime({ host, agents: [FAR] })
    expect((await thrownBy(none.run('far', { messages: 'Hi' }))).message).to.include('has none')
  })

  it('AW-03 has no local resolution', async () => {
    const { runtime } = await made()
    const error = await thrownBy(runtime.resolve('far'))
    expect(error.code).to.equal('REMOTE_AGENT_NOT_DIRECTLY_RUNNABLE')
    expect(error.message).to.include('use it as a delegate')
    expect((await runtime.resolve('local')).spec.id).to.equal('local')
  })

  it('AW-13 is refused with all that its backend cannot do', async () => {
    const capabilities = { cancel: false, clientTools: false, transcript: false, rereads: false }
    const { types, result, backend } = await ran(
      { capabilities },
      {
        signal: new AbortController().signal,
        tools: [schema('own')],
        messages: [
          { role: 'user', parts: [{ type: 'text', text: 'a' }] },
          { role: 'assistant', parts: [{ type: 'text', text: 'b' }] },
          { role: 'user', parts: [{ type: 'text', text: 'c' }] },
        ],
      },
    )
    expect(types).to.deep.equal(['start', 'error'])
    expect(result.error?.code).to.equal('BACKEND_INCAPABLE')
    expect(result.error?.message).to.equal(
      'The remote agent "far" cannot cancel a run, or take tools of the caller, or take earlier turns of the conversation, which this run needs.',
    )
    expect(backend.orders).to.deep.equal([])
  })

  it('AW-13 needs of its backend only what it uses', async () => {
    const capabilities = {
      cancel: false,
      answers: false,
      clientTools: false,
      rereads: false,
      transcript: false,
    }
    expect((await ran({ capabilities })).result.status).to.equal('done')
  })

  it('AW-13 goes on after a process or an answer only where its backend can', async () => {
    const approvals = [] as const
    const resume = { runId: 'r', seq: 3, steps: 1, approvals, verdicts: {} } as never
    const answered = await ran({ capabilities: { answers: false } }, { resume })
    expect(answered.result.error?.message).to.include('cannot go on after an answer')
    const interrupted = {
      runId: 'r',
      seq: 3,
      steps: 1,
      resumptions: 0,
      interrupted: { at: 'start' },
    } as never
    const reread = await ran({ capabilities: { rereads: false } }, { resume: interrupted })
    expect(reread.result.error?.message).to.include('a run whose process ended')
    expect(reread.events[0]).to.include({ runId: 'r', seq: 3 })
  })

  it('keeps what had arrived when it fails, and closes what is open', async () => {
    const { types, result } = await ran({
      async *ask() {
        yield said('Hel').slice(0, 2)
        throw new HostError('REMOTE_AGENT_FAILED', 'It broke.')
      },
    })
    expect(types.slice(2)).to.deep.equal(['text-start', 'text-delta', 'text-end', 'error'])
    expect(result).to.deep.include({ status: 'failed', finishReason: 'error' })
    expect(result.messages[0]?.parts).to.deep.equal([{ type: 'text', text: 'Hel' }])
  })

  it('closes parts of all kinds', async () => {
    const { types, result } = await ran({
      async *ask() {
        yield [
          { type: 'reasoning-start', id: 'r' },
          { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
          { type: 'text-start', id: 't' },
        ]
        yield [{ type: 'text-delta', id: 't', delta: 'Hello.' }]
      },
    })
    expect(result.status).to.equal('done')
    expect(types.filter((type) => type.endsWith('-end'))).to.deep.equal([
      'reasoning-end',
      'text-end',
    ])
  })

  it('fails where the backend yields what is no event of an answer', async () => {
    const wrong: readonly object[] = [
      { type: 'text-delta', id: 't', delta: 'without a start' },
      { type: 'text-start' },
      { type: 'finish', finishReason: 'stop', usage: {}, messages: [] },
      { type: 'unheard-of' },
    ]
    for (const event of wrong) {
      const { types, result } = await ran({
        async *ask() {
          yield [event as PartialEvent]
        },
      })
      expect(result.error?.code, JSON.stringify(event)).to.equal('EVENTS_INVALID')
      expect(types.at(-1)).to.equal('error')
      expect(types).to.not.include(Object(event).type)
    }
  })

  it('ends as aborted when it is cancelled, and the backend hears of it', async () => {
    const caller = new AbortController()
    let reason: unknown
    const { types, result } = await ran(
      {
        async *ask({ signal }) {
          yield said('Hel').slice(0, 2)
          caller.abort('enough')
          await new Promise((_resolve, reject) => {
            if (signal.aborted) reject(signal.reason)
            signal.addEventListener('abort', () => reject(signal.reason))
          }).catch((thrown: unknown) => {
            reason = thrown
            throw thrown
          })
        },
      },
      { signal: caller.signal },
    )
    expect([reason, result.status]).to.deep.equal(['enough', 'aborted'])
    expect(types.at(-1)).to.equal('abort')
  })

  it('refuses what is said to it meanwhile', async () => {
    const steering = new Steering()
    const saying = thrownBy(steering.say({ role: 'user', parts: [{ type: 'text', text: 'Also' }] }))
    await ran({}, { steering })
    expect((await saying).code).to.equal('RUN_NOT_ACTIVE')
  })

  it('is seen by the subscribers of the runtime', async () => {
    const { runtime } = await made()
    const subscription = runtime.subscribeEvents()
    await (await runtime.run('far', { messages: 'Hello' })).result
    const { value } = await subscription[Symbol.asyncIterator]().next()
    expect(value).to.include({ agent: 'far' })
  })

  it('has nothing to say where the agent says nothing', async () => {
    const { result } = await ran({ async *ask() {} })
    expect(result.termination).to.deep.equal({ reason: 'no_action' })
  })
})
