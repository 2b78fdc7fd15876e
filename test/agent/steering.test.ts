import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { expect } from 'chai'
import { run, Steering } from '../../src/agent/index.ts'
import { HostError } from '../../src/plugin/errors.ts'
import { Accumulator, type Message, type RunEvent, textOf } from '../../src/plugin/events/index.ts'
import { sampled } from '../helpers/cases.ts'
import { collect, scriptedHost, typesOf } from '../helpers/hosts.ts'
import { schema, tool } from '../helpers/plugins.ts'

/** What became of a message. */
const TOLD = [
  () => 'taken',
  (error: unknown) => (HostError.is(error) ? error.code : String(error)),
] as const

const say = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })

describe('steering', () => {
  const script = [
    { when: { step: 1 }, then: { tool_calls: [{ name: 'look' }] } },
    { then: { text: 'Done.' } },
  ]
  const config = { settings: { scripted: { script } } }

  async function steered(during: (steering: Steering) => void, options: object = {}) {
    const steering = new Steering()
    const looking = tool('looking', {
      getToolSchemas: () => [schema('look')],
      executeTool: () => {
        during(steering)
        return 'seen'
      },
    })
    await using host = await scriptedHost([looking])
    const stream = run(host, { config, messages: 'go', steering, ...options })
    const events = await collect<RunEvent>(stream)
    return { events, result: await stream.result, steering }
  }

  it('is refused where it is no message of the user, and the run goes on', async () => {
    const part = { type: 'text', text: 'hello' }
    const bad = [
      { role: 'user', content: 'hello' },
      'bare',
      undefined,
      { role: 'assistant', parts: [part] },
      { role: 'tool', parts: [] },
    ]
    const told: Promise<unknown>[] = []
    const { result } = await steered((steering) => {
      if (told.length > 0) return
      told.push(...bad.map((message) => steering.say(message as Message).then(...TOLD)))
      told.push(steering.say(say('Also that.')).then(...TOLD))
    })
    expect(await Promise.all(told)).to.deep.equal([...bad.map(() => 'MESSAGES_INVALID'), 'taken'])
    expect(result.status).to.equal('done')
    const said = result.messages.filter(({ role }) => role === 'user')
    expect(said.map(textOf)).to.deep.equal(['Also that.'])
  })

  it('CT-15 enters before the next request to the model, as an event', async () => {
    let taken: Promise<void> | undefined
    const { events, result } = await steered((steering) => {
      taken ??= steering.say(say('Also that.'))
    })
    await taken
    const at = events.findIndex(({ type }) => type === 'steering')
    expect(typesOf(events.slice(at - 1, at + 1))).to.deep.equal(['step-start', 'steering'])
    expect(result.messages.map(({ role }) => role)).to.deep.equal([
      'assistant',
      'tool',
      'user',
      'assistant',
      'tool',
      'assistant',
    ])
    const accumulator = new Accumulator()
    for (const event of events.slice(0, -1)) accumulator.add(event)
    expect(accumulator.messages()).to.deep.equal(result.messages)
  })

  it('CT-15 makes a run go on whose answer would have been the last', async () => {
    const steering = new Steering()
    await using host = await scriptedHost([])
    const answer = { settings: { scripted: { script: [{ then: { text: 'So far.' } }] } } }
    const stream = run(host, { config: answer, messages: 'go', steering })
    let taken: Promise<void> | undefined
    for await (const event of stream) {
      if (event.type === 'text-delta') taken ??= steering.say(say('And now?'))
    }
    await taken
    const { messages, steps } = await stream.result
    expect(steps).to.equal(2)
    expect(messages.map(textOf).filter((text) => text === 'And now?')).to.have.length(1)
  })

  it('CT-15 does not carry a run over its limits', async () => {
    const steering = new Steering()
    await using host = await scriptedHost([])
    const answer = { settings: { scripted: { script: [{ then: { text: 'So far.' } }] } } }
    const stream = run(host, { config: answer, messages: 'go', steering, maxSteps: 1 })
    let refused: Promise<unknown> | undefined
    for await (const event of stream) {
      if (event.type === 'text-delta')
        refused ??= steering.say(say('More?')).catch(({ code }) => code)
    }
    expect(await refused).to.equal('RUN_NOT_ACTIVE')
    expect((await stream.result).termination).to.include({ code: 'max_rounds' })
  })

  it('CT-15 refuses a message for a run that has ended, or that ends before it takes the message', async () => {
    let late: Promise<unknown> | undefined
    const codeOf = (error: unknown) => (HostError.is(error) ? error.code : String(error))
    const { steering, result } = await steered(
      (active) => {
        late = active.say(say('Too late.')).catch(codeOf)
      },
      { maxSteps: 1 },
    )
    expect(await late).to.equal('RUN_NOT_ACTIVE')
    expect(await steering.say(say('Over.')).catch(codeOf)).to.equal('RUN_NOT_ACTIVE')
    expect(result.messages.some(({ role }) => role === 'user')).to.equal(false)
  })

  it('CT-15 takes or refuses a message of the moment in which the run ends: never lost, never twice', async () => {
    await using host = await scriptedHost([])
    const answer = { settings: { scripted: { script: [{ then: { text: 'So far.' } }] } } }
    const outcomes = new Set<string>()
    // The message comes so many turns of the event loop, and then so many promises, after the last text of the answer.
    const moments = Array.from({ length: 120 }, (_, moment) => moment)
    for (const moment of sampled(moments, 3)) {
      const steering = new Steering()
      const options = { config: answer, messages: 'go', steering, maxSteps: 3 }
      const stream = run(host, options)
      let said: Promise<string> | undefined
      const sayLater = async () => {
        for (let waited = 0; waited < moment % 40; waited++) await Promise.resolve()
        for (let waited = 0; waited < Math.floor(moment / 40); waited++) await turnOfLoop()
        await steering.say(say('And now?'))
      }
      for await (const { type } of stream) {
        if (type === 'text-end') said ??= sayLater().then(...TOLD)
      }
      const { messages, status } = await stream.result
      const outcome = await said
      const times = messages.filter(({ role }) => role === 'user').length
      expect([outcome, times, status], `moment ${moment}`).to.be.deep.oneOf([
        ['taken', 1, 'done'],
        ['RUN_NOT_ACTIVE', 0, 'done'],
      ])
      outcomes.add(String(outcome))
    }
    expect(outcomes).to.have.all.keys('taken', 'RUN_NOT_ACTIVE')
  })
})
