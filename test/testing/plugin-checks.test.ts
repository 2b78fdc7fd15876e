import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { checkPlugin, pluginChecks, type TrialOptions } from '../../src/testing/index.ts'
import { errorOf, extension, feature, schema, tool } from '../helpers/plugins.ts'
import { pythonOf } from '../helpers/python.ts'

type State = { readonly [key: string]: unknown }

/** The faults that the checks find, by the name of the check. */
async function faultsOf(plugin: unknown, options?: TrialOptions): Promise<Map<string, string>> {
  const outcomes = await checkPlugin(plugin, options)
  expect(outcomes).to.have.length(pluginChecks(plugin).length)
  return new Map(
    outcomes.flatMap(({ name, fault }) => (fault === undefined ? [] : [[name, fault]])),
  )
}

const ALIKE = 'changes no argument, and gives the same messages in send and stream'
const MESSAGE = { role: 'assistant', parts: [{ type: 'text', text: 'Hi' }] }

const WAITING = `
import time

kind = "provider"
name = "waiting"

def stream(native, state):
    yield {"type": "text-start", "id": "t"}
    time.sleep(60)
`

describe('the checks of a plugin', () => {
  it('find nothing in a plugin without hooks, of any kind but a provider', async () => {
    expect(await faultsOf(extension('e'))).to.deep.equal(new Map())
    expect(await faultsOf(feature('f'))).to.deep.equal(new Map())
  })

  it('find a provider with a format of tool schemas that there is not', async () => {
    const wrong = { kind: 'provider', name: 'p', toolSchemaFormat: 'openai', stream: () => [] }
    const outcomes = await checkPlugin(wrong)
    expect(outcomes[0]?.fault).to.include('"toolSchemaFormat" that is "openai", and none of')
    const getTags = () => ['text', 'tools']
    const faults = await faultsOf({ ...wrong, toolSchemaFormat: () => 'openai', getTags })
    expect([...faults.values()].join()).to.include('"toolSchemaFormat" of provider "p" is "openai"')
  })

  it('find nothing in plugins that read the config for the elements of their form', async () => {
    const getUiElements = ({ settings = {} }: { readonly settings?: object }) =>
      Object.keys(settings).length > 0
        ? []
        : [{ id: 'x', kind: 'setting', title: 'X', schema: { type: 'string' } }]
    for (const plugin of [
      extension('e', { getUiElements }),
      feature('f', { getUiElements }),
      tool('t', { schemas: ['look'], executeTool: () => '', getUiElements }),
    ])
      expect(await faultsOf(plugin)).to.deep.equal(new Map())
  })

  it('find an extension that changes the config for the elements of its form', async () => {
    const getUiElements = (config: object) => {
      Object.defineProperty(config, 'temperature', { value: 1 })
      return []
    }
    const faults = await faultsOf(extension('e', { getUiElements }))
    expect([...faults.values()].join()).to.match(/"getUiElements" of extension "e" failed/)
  })

  describe('of the tools of a provider', () => {
    const SENDS = 'sends the tools that it is offered'
    const provider = (hooks: object) => ({
      kind: 'provider',
      name: 'p',
      getTags: () => ['text', 'tools'],
      call: (native: unknown, state: State) => [[], [MESSAGE], native, state],
      ...hooks,
    })
    const faultOf = async (hooks: object) => (await faultsOf(provider(hooks))).get(SENDS)
    const toNative = (_messages: unknown, state: State) => ({ tools: state['tools'] })

    it('find one that does not send them: without init, and with one that does not read them', async () => {
      expect(await faultOf({})).to.match(/^"p" has the tag "tools", but sends no tools/)
      const init = ({ model }: State) => ({ model })
      expect(await faultOf({ init, toNative })).to.match(/"init" does not read "config.tools"/)
    })

    it('find nothing in one that sends them, at once or later', async () => {
      const init = ({ tools }: State) => ({ tools })
      expect(await faultOf({ init, toNative })).to.equal(undefined)
      const later = (config: State, context: { readonly local: Map<string, unknown> }) => {
        context.local.set('config', { ...config })
        return {}
      }
      expect(await faultOf({ init: later })).to.equal(undefined)
    })

    it('find nothing in one without the tag', async () => {
      expect(await faultOf({ getTags: () => ['text'] })).to.equal(undefined)
    })

    it('close a provider once', async () => {
      let closed = 0
      const close = () => void closed++
      const init = ({ model }: State) => ({ model })
      await pluginChecks(provider({ init, close }))
        .find(({ name }) => name === SENDS)
        ?.run()
        .catch(() => undefined)
      expect(closed).to.equal(1)
    })
  })

  it('are tests for any runner, one by one', async () => {
    for (const { name, run } of pluginChecks(extension('e'))) {
      expect(name).to.match(/^\w/)
      expect(await run()).to.equal(undefined)
    }
  })

  it('find what is no plugin, and hooks that are misspelled or of another kind, in each check', async () => {
    const broken: readonly (readonly [plugin: unknown, message: RegExp])[] = [
      [{ kind: 'extension' }, /has no usable "name"/],
      [
        extension('e', { formNative: () => [] }),
        /no hook "formNative". Did you mean "fromNative"\?/,
      ],
      [feature('f', { processChunk: () => [] }), /never runs: a feature has no such hook/],
      [{ kind: 'provider', name: 'p' }, /neither "call" nor "stream"/],
      ['./no-such-plugin', /no-such-plugin/],
    ]
    for (const [plugin, message] of broken) {
      const faults = await faultsOf(plugin)
      expect(faults.size).to.equal(pluginChecks(plugin).length)
      for (const fault of faults.values()) expect(fault).to.match(message)
    }
  })

  it('find a plugin that is off, and say what it lacks', async () => {
    const plugin = extension('e', { requires: ['citations'] })
    expect((await faultsOf(plugin)).get('is on for its config')).to.match(
      /"e" is off \(missing tags\)\. It lacks "citations"\. Pass the tags of the provider in "tags"/,
    )
    expect(await faultsOf(plugin, { tags: ['citations'] })).to.deep.equal(new Map())
    const other = extension('other', { tags: ['citations'] })
    expect(await faultsOf(plugin, { beside: [other] })).to.deep.equal(new Map())
  })

  it('find tags that are other ones each time', async () => {
    let asked = 0
    const plugin = extension('e', { getTags: () => [`tag-${asked++}`] })
    expect((await faultsOf(plugin)).get('gives the same tags and models each time')).to.match(
      /Asked twice with one config/,
    )
  })

  it('find a hook of a feature that fails in a run', async () => {
    const broken = feature('f', {
      runStart: () => {
        throw new Error('no run today')
      },
    })
    const faults = await faultsOf(broken)
    expect([...faults.keys()]).to.deep.equal(['takes part in a run of an agent'])
    expect([...faults.values()][0]).to.match(/"runStart" of feature "f" failed: no run today/)
  })

  it('find a schema of settings that is none, and settings that are refused', async () => {
    const schemaFault = await faultsOf(extension('e', { configSchema: () => ({ type: 7 }) }))
    expect([...schemaFault.keys()]).to.not.deep.equal([])
    const properties = { size: { type: 'integer' } }
    const plugin = extension('e', { configSchema: { type: 'object', properties } })
    const config = { settings: { e: { size: 'large' } } }
    expect((await faultsOf(plugin, { config })).get(ALIKE)).to.match(
      /SETTINGS_INVALID.*"size" must be of type integer/,
    )
  })

  it('find a hook that changes what it was given, by its name', async () => {
    const plugin = extension('e', {
      editMessages: (messages: unknown[]) => {
        messages.push(MESSAGE)
        return messages
      },
    })
    expect((await faultsOf(plugin)).get(ALIKE)).to.match(/Hook "editMessages" of extension "e"/)
  })

  it('find an extension that only does its work where there are chunks', async () => {
    const counting = extension('e', {
      requiredTags: ['text'],
      processChunk: (
        _: unknown,
        partials: unknown,
        finals: unknown,
        native: unknown,
        state: State,
      ) => [partials, finals, native, { ...state, seen: true }],
      finalize: (finals: object[], native: unknown, state: State) => [
        finals.map((message) => ({ ...message, metadata: { seen: state['seen'] === true } })),
        native,
        state,
      ],
    })
    expect((await faultsOf(counting)).get(ALIKE)).to.match(/end in different messages/)
  })

  it('find finals that are other ones in send than in stream', async () => {
    const plugin = {
      kind: 'provider',
      name: 'p',
      call: (native: unknown, state: State) => [[], [MESSAGE], native, state],
      stream: () => [
        { type: 'text-start', id: 't' },
        { type: 'text-end', id: 't' },
      ],
      fromNative: (natives: unknown) => natives,
    }
    expect((await faultsOf(plugin)).get(ALIKE)).to.match(
      /send and stream end in different messages/,
    )
  })

  it('find text that is streamed otherwise than the messages have it', async () => {
    const upper = (text: string): string => text.toUpperCase()
    const plugin = extension('e', {
      processChunk: (_chunk: unknown, partials: { delta?: string }[], ...rest: unknown[]) => [
        partials.map((event) => (event.delta ? { ...event, delta: upper(event.delta) } : event)),
        ...rest,
      ],
    })
    expect((await faultsOf(plugin)).get('streams the text of its messages')).to.match(
      /The streamed text differs from the text in the messages[\s\S]*HELLO[\s\S]*Hello/,
    )
  })

  it('find events that break the rules, and a stream that fails', async () => {
    const delta = {
      kind: 'provider',
      name: 'p',
      stream: () => [{ type: 'text-delta', id: 't', delta: 'x' }],
    }
    expect((await faultsOf(delta)).get('streams the text of its messages')).to.match(
      /EVENTS_INVALID/,
    )
  })

  it('find a stream that goes on waiting when its request is cancelled', async () => {
    const plugin = {
      kind: 'provider',
      name: 'p',
      async *stream() {
        yield { type: 'text-start', id: 't' }
        await new Promise(() => undefined)
      },
    }
    const [check] = pluginChecks(plugin).filter(({ name }) => name.includes('cancelled'))
    const error = await errorOf(check?.run() ?? Promise.resolve())
    expect(error.message).to.match(/"stream" of "p" is still waiting\. Pass "context\.signal" to/)
  })

  it('leave a model its time to the first word of a stream that is cancelled', async () => {
    const plugin = {
      kind: 'provider',
      name: 'slow',
      async *stream(_native: unknown, _state: unknown, { signal }: { signal: AbortSignal }) {
        await new Promise((resolve) => setTimeout(resolve, 2200))
        yield { type: 'text-start', id: 't' }
        await once(signal, 'abort')
      },
    }
    const [check] = pluginChecks(plugin).filter(({ name }) => name.includes('cancelled'))
    await check?.run()
  })

  it('find a stream in Python that goes on waiting when its request is cancelled', async function () {
    await pythonOf(this)
    const folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    try {
      const path = join(folder, 'waiting.py')
      await writeFile(path, WAITING)
      const [check] = pluginChecks(path).filter(({ name }) => name.includes('cancelled'))
      const error = await errorOf(check?.run() ?? Promise.resolve())
      expect(error.message).to.match(/"stream" of "waiting" is still waiting/)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('find a plugin that cannot be closed', async () => {
    const close = () => {
      throw new Error('the socket is lost')
    }
    const faults = await faultsOf(extension('e', { close }))
    expect(faults.get('is on for its config')).to.match(/the socket is lost/)
  })

  it('do not wait longer than two seconds for a plugin to close', async () => {
    const [first] = pluginChecks(extension('e', { close: () => new Promise(() => undefined) }))
    expect((await errorOf(async () => first?.run())).message).to.include(
      'it did not answer within 2 s',
    )
  })

  it('close what they loaded by its path, also where a host does not take what stands beside it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    try {
      const [path, trace] = [join(folder, 'closing.mjs'), join(folder, 'closed')]
      const code = `
        import { writeFileSync } from 'node:fs'
        const close = () => writeFileSync(${JSON.stringify(trace)}, 'closed')
        export default { kind: 'extension', name: 'closing', close }\n`
      await writeFile(path, code)
      const beside = [{ kind: 'extension', name: 'closing' }] as unknown as TrialOptions['beside']
      const [check] = pluginChecks(path, { beside: beside ?? [] })
      const error = await errorOf(check?.run() ?? Promise.resolve())
      expect(error.message).to.match(/"closing"/)
      expect(await readFile(trace, 'utf8')).to.equal('closed')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('refuse a misspelled option, with which they would try nothing', async () => {
    const error = await errorOf(checkPlugin(tool('t'), { call: [] } as never))
    expect(error).to.include({ code: 'OPTION_INVALID', pointer: '/call' })
    expect(error.message).to.include('Did you mean "calls"?')
  })

  it('find a tool without tools, and calls that it refuses, or whose answers nobody could carry', async () => {
    const offers = 'offers tools with usable schemas'
    expect((await faultsOf(tool('t'))).get(offers)).to.match(/"t" offers no tool/)
    const input_schema = { type: 'object', properties: { n: { type: 'integer' } } }
    const add = tool('t', {
      getToolSchemas: () => [schema('add', { input_schema })],
      executeTool: ({ input }: { input: { n: number } }) =>
        input.n > 1 ? { at: new Map() } : input.n,
    })
    const faultOf = async (name: string, input: unknown) =>
      (await faultsOf(add, { calls: [{ name, input }] })).get('answers its tool calls')
    expect(await faultOf('add', { n: 1 })).to.equal(undefined)
    expect(await faultOf('add', { n: 'one' })).to.match(/schema of "add" refuses this call/)
    expect(await faultOf('take', {})).to.match(/"t" offers no tool "take"/)
    expect(await faultOf('add', { n: 2 })).to.match(
      /"add" returned a result that a message cannot contain/,
    )
  })
})
