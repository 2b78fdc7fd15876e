import { join } from 'node:path'
import { expect } from 'chai'
import {
  type ConfigLayer,
  createHost,
  type Host,
  HostError,
  type Message,
  textOf,
} from '../../../src/index.ts'
import { environmentOf } from '../../../src/python/environments.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { describePythonTests, pythonOf } from '../../helpers/python.ts'
import { ROOT } from '../../helpers/source-files.ts'

const FOLDER = join(ROOT, 'providers', 'smollm')

describePythonTests('smollm, hook by hook', 'test/providers/smollm')

describe('smollm, with its model', function () {
  this.timeout(120_000)
  let host: Host

  before(async function () {
    const python = await pythonOf(this)
    try {
      await environmentOf(FOLDER, python)
    } catch (error) {
      process.stderr.write(`smollm's model is not tried: ${String(error)}\n`)
      return this.skip()
    }
    host = await createHost({ plugins: [FOLDER], config: { provider: 'smollm', temperature: 0 } })
    expect((await host.resolve()).diagnostics).to.deep.equal([])
  })
  after(() => host?.close())

  function say(config: ConfigLayer, messages: string | readonly Message[]) {
    return host.send({ max_output_tokens: 60, ...config }, messages)
  }

  it('answers, and says what that took', async () => {
    const { messages, finishReason, usage } = await say({}, 'What is the capital of France?')
    expect(textOf(messages[0]!)).to.not.equal('')
    expect(finishReason).to.be.oneOf(['stop', 'length'])
    expect(usage.input).to.be.within(10, 60)
    expect(usage.output).to.be.within(1, 60)
  })

  it('CL-42 says the same in send and stream with a seed', async () => {
    const config = { seed: 7, temperature: 0.8, max_output_tokens: 24 }
    const sent = await host.send(config, 'Tell me of rivers.')
    const stream = host.stream(config, 'Tell me of rivers.')
    const deltas: string[] = []
    for await (const event of stream) if (event.type === 'text-delta') deltas.push(event.delta)
    expect((await stream.result).messages).to.deep.equal(sent.messages)
    expect(deltas.length).to.be.above(5)
    expect(deltas.join('')).to.equal(textOf(sent.messages[0]!))
  })

  it('stops at its length and at what it is told', async () => {
    const short = await say({ max_output_tokens: 5 }, 'Tell me a story.')
    expect(short.finishReason).to.equal('length')
    expect(short.usage.output).to.equal(5)
    const whole = textOf((await say({ max_output_tokens: 30 }, 'Tell me a story.')).messages[0]!)
    const stop = whole.split(' ')[3] ?? ''
    const stopped = await say({ max_output_tokens: 30, stop }, 'Tell me a story.')
    expect(stopped.finishReason).to.equal('stop')
    expect(whole.startsWith(textOf(stopped.messages[0]!))).to.equal(true)
    expect(textOf(stopped.messages[0]!)).not.to.include(stop)
  })

  it('keeps to a schema', async () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 20 },
        age: { type: 'integer', maximum: 150 },
      },
      required: ['name', 'age'],
    }
    const { messages } = await say(
      { response_format: { type: 'json-schema', schema } },
      'Bob is 31 years old. Who is he?',
    )
    const value = JSON.parse(textOf(messages[0]!)) as object
    expect(value).to.have.all.keys('name', 'age')
  })

  it('refuses a schema that it cannot be held to', async () => {
    const schema = { $ref: 'https://schemas.example/of-others' }
    const error = await errorOf(say({ response_format: { type: 'json-schema', schema } }, 'Hello'))
    expect(HostError.is(error) && error.code).to.equal('INVALID_REQUEST')
  })

  it('calls the tool that it has to', async () => {
    const tool = {
      name: 'weather',
      description: 'Weather of a city',
      input_schema: {
        type: 'object',
        properties: { city: { enum: ['Paris', 'Ulm', 'Rome'] } },
        required: ['city'],
      },
    }
    const config = { provider: 'smollm', tool_choice: 'required', max_output_tokens: 60 } as const
    const { messages, finishReason } = await host.send(config, 'What is the weather in Paris?', {
      tools: [tool],
    })
    expect(finishReason).to.equal('tool-calls')
    const [part] = messages[0]!.parts
    expect(part).to.deep.include({ type: 'tool-call', name: 'weather' })
  })

  it('says that messages are too long for it', async () => {
    const settings = { smollm: { context_window: 256 } }
    const error = await errorOf(say({ settings }, 'word '.repeat(400)))
    expect(error.code).to.equal('CONTEXT_OVERFLOW')
    expect(error.message).to.include('and 256 fit')
  })

  it('stops within 200 ms when it is cancelled, and answers the next', async () => {
    const controller = new AbortController()
    const stream = host.stream({ max_output_tokens: 1000 }, 'Tell me a long story.', {
      signal: controller.signal,
    })
    let cancelled = 0
    for await (const { type } of stream) {
      if (type !== 'text-delta' || cancelled > 0) continue
      cancelled = performance.now()
      controller.abort()
    }
    expect(performance.now() - cancelled).to.be.below(200)
    expect((await stream.result).status).to.equal('aborted')
    expect((await say({ max_output_tokens: 3 }, 'Hello')).usage.output).to.be.at.most(3)
  })

  it('answers several at once, each its own', async () => {
    const questions = ['Hello', 'What is a river?', 'Name a colour.']
    const alone: string[] = []
    for (const question of questions) {
      alone.push(textOf((await say({ seed: 1, max_output_tokens: 8 }, question)).messages[0]!))
    }
    const together = await Promise.all(
      questions.map((question) => say({ seed: 1, max_output_tokens: 8 }, question)),
    )
    expect(together.map(({ messages }) => textOf(messages[0]!))).to.deep.equal(alone)
  })
})
