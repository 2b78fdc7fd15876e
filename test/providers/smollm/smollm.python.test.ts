import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { validatorOf } from '../../../src/core/config/json-schema.ts'
import {
  type ConfigLayer,
  createHost,
  type Host,
  HostError,
  type Message,
  textOf,
} from '../../../src/core/index.ts'
import { pluginPythonOf } from '../../../src/python/venvs/venvs.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { describePythonTests, pythonOf } from '../../helpers/python.ts'
import { ROOT } from '../../helpers/source-files.ts'

type Schema = { readonly [key: string]: unknown }

const FOLDER = join(ROOT, 'providers', 'smollm')

describePythonTests('smollm, hook by hook', 'test/providers/smollm')

/** Ends this process's interpreter, as a fault in the model's library would. */
function endInterpreter(executable: string): void {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
  for (const line of listed.split('\n')) {
    const [, pid, parent, program] = /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? []
    if (Number(parent) === process.pid && program?.startsWith(executable)) {
      process.kill(Number(pid), 'SIGKILL')
    }
  }
}

describe('smollm, with its model', function () {
  this.timeout(120_000)
  let host: Host
  let executable: string

  before(async function () {
    const python = await pythonOf(this)
    try {
      executable = (await pluginPythonOf(FOLDER, python)).executable
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
    expect(textOf(messages[0]!)).to.include('Paris')
    expect(finishReason).to.equal('stop')
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

  const REFUSED: Readonly<Record<string, Schema>> = {
    'refers to another address': { $ref: 'https://schemas.example/of-others' },
    'refers to a file': { $ref: 'file:///etc/passwd' },
    'is nothing but itself': { $ref: '#' },
    'fits nothing': { type: 'integer', minimum: 5, maximum: 3 },
    'has a keyword that llama.cpp does not know': { not: { type: 'string' } },
    'has a pattern that is none': { type: 'string', pattern: '(' },
    'has a pattern that looks ahead': { type: 'string', pattern: '^(?=a).*$' },
    'asks for a million items': { type: 'array', items: {}, minItems: 1_000_000 },
    'names a type that is none': { type: 'nonsense' },
  }
  for (const [what, schema] of Object.entries(REFUSED)) {
    it(`refuses a schema that ${what}`, async () => {
      const format = { response_format: { type: 'json-schema', schema } } as const
      const error = await errorOf(say(format, 'Hello'))
      expect(HostError.is(error) && error.code).to.equal('INVALID_REQUEST')
    })
  }

  const HELD: Readonly<Record<string, Schema>> = {
    'has a pattern that would hang others': { type: 'string', pattern: '^(a|a)*b{2}$' },
    'has names of prototypes': {
      type: 'object',
      properties: { constructor: { const: 1 }, toString: { const: 2 } },
      required: ['constructor', 'toString'],
    },
    'has a thousand values': { enum: Array.from({ length: 1000 }, (_, at) => `value ${at}`) },
    'refers to itself': {
      $defs: {
        list: {
          type: 'object',
          properties: { next: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/list' }] } },
          required: ['next'],
        },
      },
      $ref: '#/$defs/list',
    },
  }
  for (const [what, schema] of Object.entries(HELD)) {
    it(`keeps to a schema that ${what}, or says that the answer is not whole`, async () => {
      const format = { response_format: { type: 'json-schema', schema } } as const
      const { messages, finishReason } = await say(format, 'Give me one.')
      if (finishReason === 'length') return
      const isValid = await validatorOf(schema)
      expect(isValid(JSON.parse(textOf(messages[0]!)))).to.equal(undefined)
    })
  }

  it('says characters of many tokens whole', async () => {
    const schema = { const: '🦜 ñ 👩‍👩‍👧 語' }
    const stream = host.stream({ response_format: { type: 'json-schema', schema } }, 'Hello')
    const deltas: string[] = []
    for await (const event of stream) if (event.type === 'text-delta') deltas.push(event.delta)
    expect(JSON.parse(deltas.join(''))).to.equal(schema.const)
    expect(deltas.length).to.be.above(5)
  })

  it('stops at a text that stands across tokens', async () => {
    const schema = { const: 'a tree of parrots, by the sea' }
    const config = { response_format: { type: 'json-schema', schema }, stop: 'rots, b' } as const
    const { messages, finishReason } = await say(config, 'Hello')
    expect(textOf(messages[0]!)).to.equal('"a tree of par')
    expect(finishReason).to.equal('stop')
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

  it('calls a tool with a list of unique items, which llama.cpp alone does not know', async () => {
    const options = { type: 'array', items: { type: 'string' }, maxItems: 3, uniqueItems: true }
    const properties = { question: { type: 'string' }, options }
    const input_schema = { type: 'object', properties, required: ['question'] }
    const tool = { name: 'ask', description: 'Asks the user a question', input_schema }
    const config = { provider: 'smollm', tool_choice: 'required', max_output_tokens: 100 } as const
    const { messages } = await host.send(config, 'Ask me which color I like.', { tools: [tool] })
    const [part] = messages[0]!.parts
    expect(part).to.deep.include({ type: 'tool-call', name: 'ask' })
    expect(part).to.have.nested.property('input.question').that.matches(/color/i)
  })

  it('refuses a tool whose schema it cannot hold the call to', async () => {
    const input_schema = { type: 'object', properties: { a: { not: { type: 'string' } } } }
    const tool = { name: 'odd', description: 'Odd', input_schema }
    const config = { tool_choice: 'required' } as const
    const error = await errorOf(host.send(config, 'Hello', { tools: [tool] }))
    expect(HostError.is(error) && error.code).to.equal('INVALID_REQUEST')
  })

  it('calls no tool that nothing demands, and says so', async () => {
    const tool = { name: 'weather', description: 'Weather', input_schema: { type: 'object' } }
    const { messages, warnings } = await host.send({}, 'What is the capital of France?', {
      tools: [tool],
    })
    expect(textOf(messages[0]!)).to.include('Paris')
    expect(warnings.join()).to.include('calls none by itself')
  })

  it('has the tag of tools only where a call is demanded, so that tools are off by tags else', async () => {
    const tagsFor = async (config: ConfigLayer) =>
      (await host.resolve({ provider: 'smollm', ...config })).tags
    expect(await tagsFor({})).not.to.include('tools')
    expect(await tagsFor({ tool_choice: 'none' })).not.to.include('tools')
    expect(await tagsFor({ tool_choice: 'required' })).to.include('tools')
    expect(await tagsFor({ tool_choice: { tool: 'weather' } })).to.include('tools')
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

  it('says that its interpreter ended in the middle, and answers the next', async () => {
    const stream = host.stream({ max_output_tokens: 1000 }, 'Tell me a long story.')
    for await (const { type } of stream) if (type === 'text-delta') endInterpreter(executable)
    const { status, error } = await stream.result
    expect(status).to.equal('failed')
    expect(error?.code).to.be.oneOf(['STREAM_INTERRUPTED', 'PYTHON_CRASHED'])
    expect((await say({ max_output_tokens: 3 }, 'Hello')).finishReason).to.equal('length')
  })

  it('answers several at once, each its own', async () => {
    const questions = ['Hello', 'What is a river?', 'Name a color.']
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
