import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  type ConfigLayer,
  createHost,
  type Host,
  type Message,
  textOf,
} from '../../../src/core/index.ts'
import { suiteOf } from '../../../src/testing/index.ts'
import { llmPythonOf } from '../../helpers/llm-python.ts'
import { pythonOf } from '../../helpers/python.ts'
import { ROOT } from '../../helpers/source-files.ts'
import { suitesOf } from '../../python-package/python-suite.ts'
import { streamed } from '../openai/asking.ts'

const PLUGIN = join(ROOT, 'providers', 'llm')
const TOOLS = join(ROOT, 'tools', 'llm-tools')

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })

describe('the provider llm, with installed plugins of llm', function () {
  this.timeout(300_000)
  let host: Host

  before(async function () {
    const executable = await llmPythonOf(this)
    host = await createHost({ plugins: [PLUGIN, TOOLS], python: { executable } })
  })
  after(() => host?.close())

  const configOf = (model = 'echo', llm: object = {}, more: ConfigLayer = {}): ConfigLayer => ({
    provider: 'llm',
    model,
    ...more,
    settings: { llm: { ...llm } },
  })

  /** What the model llm-echo says it was asked. */
  async function askedOf(messages: string | readonly Message[], config = configOf()) {
    const { messages: answers } = await host.send(config, messages)
    return JSON.parse(textOf(answers[0]!)) as { readonly [member: string]: unknown }
  }

  it('offers all models, or those that the settings name', async () => {
    const { models } = await host.resolve({ provider: 'llm' })
    expect(models).to.include.members(['echo', 'echo-needs-key', 'probe-slow', 'gpt-4o'])
    const some = await host.resolve(configOf('echo', { models: ['echo'] }))
    expect(some.models).to.deep.equal(['echo'])
  })

  it('has tags for what a model is able to do, and its manifest lists them all', async () => {
    const tagsOf = async (model: string) => [...(await host.resolve(configOf(model))).tags]
    expect(await tagsOf('echo')).to.include.members(['llm', 'tools', 'vision'])
    expect(await tagsOf('probe-slow')).to.have.members(['llm', 'text', 'streaming'])
    const manifest = JSON.parse(await readFile(join(PLUGIN, 'package.json'), 'utf8')) as {
      braidwork: { plugins: [{ tags: string[] }] }
    }
    expect(await tagsOf('gpt-4o')).to.have.members(manifest.braidwork.plugins[0].tags)
  })

  it('sends the system text, the conversation, the files and the options', async () => {
    const file = { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const
    const asked = await askedOf(
      [
        { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
        user('First'),
        { role: 'assistant', parts: [{ type: 'text', text: 'One' }] },
        user('Second'),
        { role: 'assistant', parts: [{ type: 'text', text: 'Two' }] },
        { role: 'user', parts: [{ type: 'text', text: 'Third' }, file] },
      ],
      configOf('echo', { options: { example_bool: true } }),
    )
    expect(asked).to.deep.include({
      prompt: 'Third',
      system: 'Be brief.',
      options: { example_bool: true },
      previous: [{ prompt: 'First' }, { prompt: 'Second' }],
    })
    expect(asked['attachments']).to.have.length(1)
    expect(asked['attachments']).to.have.nested.property('[0].type', 'image/png')
  })

  it('streams reasoning and text, and says the same whole', async () => {
    const config = configOf('echo', { options: { thinking: true } })
    const { events, gathered, result } = await streamed(host, config)
    const sent = await host.send(config, 'Hello')
    expect(result.error).to.equal(undefined)
    const types = result.messages[0]?.parts.map(({ type }) => type)
    expect(types).to.deep.equal(['reasoning', 'text'])
    expect(events.filter(({ type }) => type === 'reasoning-delta')).to.have.length(2)
    expect(gathered).to.deep.equal(result.messages)
    // The echo tells whether it streams, which it does in both.
    expect(sent.messages).to.deep.equal(result.messages)
    expect(result.finishReason).to.equal('stop')
    expect(result.usage.input).to.equal(1)
    expect(result.usage.output).to.be.above(5)
  })

  it('tells the calls of the model, and sends their results back', async () => {
    const tool = { name: 'add', description: 'Adds', input_schema: { type: 'object' } }
    const calls = { tool_calls: [{ name: 'add', arguments: { a: 1 } }], prompt: 'add' }
    const question = user(JSON.stringify(calls))
    const { messages, finishReason } = await host.send(configOf(), [question], { tools: [tool] })
    expect(finishReason).to.equal('tool-calls')
    const call = messages[0]?.parts.find((part) => part.type === 'tool-call')
    expect(call).to.deep.include({ name: 'add', input: { a: 1 } })
    const callId = call?.type === 'tool-call' ? call.callId : ''
    const output = [{ type: 'text', text: 'two' }]
    const result = { type: 'tool-result', callId, name: 'add', output } as const
    const history = [question, ...messages, { role: 'tool', parts: [result] }] as const
    const asked = await askedOf(history)
    expect(asked['tool_results']).to.deep.equal([
      { name: 'add', output: 'two', tool_call_id: callId },
    ])
  })

  it('says that a model has no key, and takes keys from the settings', async () => {
    const without = await host.stream(configOf('echo-needs-key'), 'Hello').result
    expect(without.error).to.include({ code: 'PROVIDER_UNAUTHORIZED', retryable: false })
    expect(without.error?.message).to.include('settings.llm.keys["echo-needs-key"]')
    const keys = { 'echo-needs-key': 'sesame-0123456789' }
    const { messages } = await host.send(configOf('echo-needs-key', { keys }), 'Hello')
    // The model says its key, which no answer of the host may have.
    expect(JSON.parse(textOf(messages[0]!)))
      .to.have.property('key')
      .that.is.a('string')
    expect(textOf(messages[0]!)).not.to.include('sesame')
  })

  it('maps keys of the config to options of the model, and warns of the others', async () => {
    const { native } = await host.dryRun(
      configOf('gpt-4o', {}, { temperature: 0.5, max_output_tokens: 9 }),
      'Hello',
    )
    expect(native).to.have.deep.property('options', { temperature: 0.5, max_tokens: 9 })
    const { warnings } = await host.send(configOf('echo', {}, { temperature: 0.5 }), 'Hello')
    expect(warnings.join()).to.include('no option for "temperature"')
  })

  it('refuses options that the model does not have, at their place', async () => {
    const { error } = await host.stream(configOf('echo', { options: { loud: true } }), 'Hello')
      .result
    expect(error).to.include({ code: 'SETTINGS_INVALID', pointer: '/settings/llm/options/loud' })
    expect(error?.message).to.include('example_bool, thinking')
  })

  it('shows the options of the model in the form', async () => {
    const { schema } = await host.uiSchema(configOf('echo'))
    expect(JSON.stringify(schema))
      .to.include('Example boolean option')
      .and.to.include('Options of echo')
    const other = await host.uiSchema(configOf('gpt-4o'))
    expect(JSON.stringify(other.schema)).to.include('What sampling temperature to use')
    expect(JSON.stringify(other.schema)).not.to.include('Example boolean option')
  })

  it('fetches no file by its address', async () => {
    const file = { type: 'file', mediaType: 'image/png', url: 'https://a.test/x.png' } as const
    const { error } = await host.stream(configOf(), [{ role: 'user', parts: [file] }]).result
    expect(error).to.include({ code: 'INVALID_REQUEST', pointer: '/messages/0/parts/0' })
  })

  it('has codes for what models raise', async () => {
    const errorOf = async (model: string, messages: string | readonly Message[]) =>
      (await host.stream(configOf(model), messages).result).error
    expect(await errorOf('probe-refusing', 'limit')).to.include({
      code: 'RATE_LIMITED',
      status: 429,
      retryAfter: 7,
      retryable: true,
    })
    expect((await errorOf('probe-refusing', 'x'))?.message).to.include('no such thing')
    expect(await errorOf('absent', 'x')).to.include({ code: 'MODEL_UNKNOWN' })
    const history = [
      user('a'),
      { role: 'assistant', parts: [{ type: 'text', text: 'b' }] },
    ] as const
    const single = await errorOf('probe-single', [...history, user('c')])
    expect(single?.message).to.include('does not support conversations')
  })

  it('tells models that know no messages the texts of the conversation', async () => {
    const history = [
      user('a'),
      { role: 'assistant', parts: [{ type: 'text', text: 'b' }] },
    ] as const
    const { messages } = await host.send(configOf('probe-older'), [...history, user('c')])
    expect(textOf(messages[0]!)).to.equal('a b c')
  })

  it('tells that an answer was cut', async () => {
    const { messages, finishReason } = await host.send(configOf('probe-single'), 'Hello')
    expect(textOf(messages[0]!)).to.equal('once')
    expect(finishReason).to.equal('length')
  })

  for (const [model, form] of [
    ['probe-async', 'async'],
    ['slow-alias', 'sync'],
  ] as const) {
    it(`ends at once when it is cancelled, and so does a model with the ${form} form`, async () => {
      const controller = new AbortController()
      const stream = host.stream(configOf(model), 'Hello', { signal: controller.signal })
      let at = 0
      for await (const event of stream) {
        if (event.type !== 'text-delta' || at > 0) continue
        at = Date.now()
        controller.abort()
      }
      expect((await stream.result).status).to.equal('aborted')
      expect(Date.now() - at).to.be.below(1500)
      await untilClosed(form)
    })
  }

  /** Asks the tool of the same interpreter until the model has ended. */
  async function untilClosed(form: string): Promise<void> {
    const config = configOf('echo', {}, { enabled_plugins: ['llm-tools'] })
    for (let tries = 0; tries < 100; tries++) {
      const opened = await host.open(config)
      const call = { type: 'tool-call', callId: 'c', name: 'probe_state', input: {} } as const
      const { output } = await opened.execute(call)
      opened.end()
      if ((output as { closed: string[] }).closed.includes(form)) return
    }
    throw new Error(`the ${form} model goes on`)
  }

  it('passes the suite of providers', async function () {
    const before = process.env['PYTHON_BIN']
    process.env['PYTHON_BIN'] = await llmPythonOf(this)
    const suite = suiteOf('provider', PLUGIN, { config: { model: 'echo' } })
    const faults: string[] = []
    try {
      for (const { name, run } of suite.checks)
        await run().catch((error: Error) => faults.push(`${name}: ${error.message}`))
    } finally {
      if (before === undefined) delete process.env['PYTHON_BIN']
      else process.env['PYTHON_BIN'] = before
      await suite.close()
    }
    expect(faults).to.deep.equal([])
  })

  it('passes the suite of providers for pytest', async function () {
    const executable = await llmPythonOf(this)
    const asked = {
      kind: 'provider',
      path: PLUGIN,
      options: { config: { model: 'echo' } },
    } as const
    const [result] = await suitesOf({ executable }, [asked])
    expect(result?.failed).to.deep.equal([])
    expect(Object.values(result?.skipped ?? {}).join()).not.to.include('failed')
  })
})

describe('the provider llm, without llm', function () {
  this.timeout(60_000)

  it('says which interpreter needs it, and how to install it', async function () {
    const { executable } = await pythonOf(this)
    const host = await createHost({ plugins: [PLUGIN], python: { executable } })
    const { error } = await host.stream({ provider: 'llm', model: 'echo' }, 'Hello').result
    await host.close()
    if (error === undefined || error.code === 'MODEL_UNKNOWN') return this.skip()
    expect(error).to.include({ code: 'PACKAGE_MISSING', retryable: false })
    expect(error.message).to.include(executable).and.to.include('pip install llm')
  })
})
