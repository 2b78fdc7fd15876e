import { expect } from 'chai'
import { systemEnvironment } from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { IdleTimer } from '../../src/core/timers.ts'
import { orAfter } from '../../src/server/or-after.ts'
import { sampledIt } from '../helpers/cases.ts'
import { HandClock, HOUR, SetClock, STEPS } from '../helpers/clock.ts'
import { chatBody, Served, user } from './routes/served.ts'

/** Longer than any timer of Node's may be. */
const LONG = 2 ** 32

describe('a server whose clock is set', () => {
  let served: Served | undefined
  afterEach(async () => {
    await served?.close()
    served = undefined
  })

  const body = { model: 'quick', messages: [{ role: 'user', content: 'hi' }] }
  const chat = '/v1/chat/completions'

  for (const [at, [name, step]] of STEPS.entries()) {
    const test = sampledIt(2, Math.ceil(at / 2))
    test(`counts requests of a minute by the time that has gone by, when it goes ${name}`, async () => {
      const clock = new HandClock()
      served = await Served.start({
        environment: clock.environment,
        limits: { requests_per_minute: 1 },
      })
      expect((await served.ask(chat, { body })).status).to.equal(200)
      clock.now += step
      const { status, headers } = await served.ask(chat, { body })
      expect(status).to.equal(429)
      expect(Number(headers.get('retry-after'))).to.equal(60)
      clock.pass(60_000)
      expect((await served.ask(chat, { body })).status).to.equal(200)
    })

    test(`answers on every address that streams, when it goes ${name} meanwhile`, async () => {
      const clock = new SetClock()
      served = await Served.start({ environment: clock.environment })
      const messages = [user('q', 'hi')]
      const response = await served.fetch('/api/chat', {
        body: chatBody('talk', messages, { agent: 'slow' }),
      })
      const reader = response.body?.getReader()
      await reader?.read()
      clock.step(step)
      const text = new TextDecoder()
      let last = ''
      for (let page = await reader?.read(); page && !page.done; page = await reader?.read()) {
        last = text.decode(page.value)
      }
      expect(last).to.include('[DONE]')
      const { json } = await served.ask('/api/conversations/talk')
      expect(json['lastRun']?.['status']).to.equal('done')
    })
  }

  for (const [at, [name, step]] of STEPS.entries()) {
    const test = sampledIt(2, Math.ceil(at / 2))
    test(`runs no call that nobody allowed, and one that was allowed once, when it goes ${name}`, async () => {
      const storage = memoryStorage()
      const clock = new SetClock()
      served = await Served.start({ storage, environment: clock.environment })
      const body = chatBody('talk', [user('q', 'calculate')], { agent: 'careful' })
      const { headers } = await served.ask('/api/chat', { body })
      const runId = headers.get('x-run-id') ?? ''
      const [approval] = await storage.approvals.list('ada', runId)
      const isLate = clock.environment.now() + step >= (approval?.expiresAt ?? 0)
      clock.step(step)
      const answer = () => served?.ask(`/approvals/${approval?.id}`, { body: { approved: true } })
      expect((await answer())?.status).to.equal(isLate ? 410 : 200)
      clock.step(-step)
      await served.ask('/api/chat/talk/stream')
      expect((await answer())?.status).to.equal(isLate ? 410 : 200)
      const { text } = await served.ask(`/runs/${runId}/events?after=-1`)
      const starts = [...text.matchAll(/"type":"tool-execution-start"/g)]
      expect(starts).to.have.length(isLate ? 0 : 1)
    })
  }

  it('goes on with the calls that were asked for last, not with earlier ones, when it goes back', async () => {
    const storage = memoryStorage()
    const clock = new SetClock()
    const script = [
      { when: { text: 'go', step: 1 }, then: calling('1 + 1') },
      { when: { step: 2 }, then: calling('2 + 2') },
      { then: { text: 'Done.' } },
    ]
    const models = {
      quick: { config: { tool_policy: { calculate: 'ask' }, settings: { scripted: { script } } } },
    } as const
    served = await Served.start({ storage, environment: clock.environment, models })
    const { headers } = await served.ask('/api/chat', { body: chatBody('talk', [user('q', 'go')]) })
    const runId = headers.get('x-run-id') ?? ''
    const answerLast = async () => {
      const open = (await storage.approvals.list('ada', runId)).filter(({ answer }) => !answer)
      expect(open).to.have.length(1)
      await served?.ask(`/approvals/${open[0]?.id}`, { body: { approved: true } })
      await served?.ask(`/runs/${runId}/events`)
    }
    clock.step(-HOUR)
    await answerLast()
    await answerLast()
    const { text } = await served.ask(`/runs/${runId}/events?after=-1`)
    const inputs = [...text.matchAll(/"expression":"(\d) \+/g)].map(([, digit]) => digit)
    const ends = [...text.matchAll(/"type":"tool-execution-end"/g)]
    expect(ends, inputs.join(' ')).to.have.length(2)
    expect(text).to.include('Done.')
  })
})

describe('a time that is longer than any timer', () => {
  const soon = () => systemEnvironment.sleep(20).then(() => 'waits')

  it('is slept through until the sleeper is woken', async () => {
    const waking = new AbortController()
    const sleep = systemEnvironment.sleep(LONG, waking.signal).then(
      () => 'slept',
      () => 'woken',
    )
    expect(await Promise.race([sleep, soon()])).to.equal('waits')
    waking.abort()
    expect(await sleep).to.equal('woken')
  })

  it('is waited for by a stream that says that it lives, and by a body', async () => {
    const silence = new Promise<string>((resolve) => {
      const timer = new IdleTimer(LONG, () => resolve('told'))
      timer.touch()
      void soon().then(() => timer.stop())
    })
    expect(await Promise.race([silence, soon()])).to.equal('waits')
    expect(await orAfter(soon(), LONG, 'late')).to.equal('waits')
  })
})

function calling(expression: string): object {
  return { tool_calls: [{ name: 'calculate', input: { expression } }] }
}
