import { expect } from 'chai'
import type { Config } from '../../../src/plugin/config.ts'
import type { AnyPlugin } from '../../../src/plugin/plugin.ts'
import {
  caller,
  errorOf,
  extension,
  feature,
  logged,
  passing,
  provider,
  schema,
  sendTo,
  streamTo,
  tool,
} from '../../helpers/plugins.ts'

type State = { readonly [key: string]: unknown }

const HOOKS_OF_A_TOOL = ['t.init', 't.getToolSchemas']

/** The state that a provider's `init` made of its config. */
async function toolsSeen(plugins: readonly AnyPlugin[], config: Config = {}): Promise<unknown> {
  const init = ({ tools }: Config) => ({ tools })
  const { state } = await sendTo([caller('p', [], { init }), ...plugins], config)
  return state['tools']
}

describe('prepare', () => {
  it('CL-30 starts with each tool, its own state first, then its schemas', async () => {
    const log: string[] = []
    const withState = (name: string) =>
      logged(
        log,
        tool(name, {
          init: () => ({ own: name }),
          getToolSchemas: (state: State) => [schema(`${String(state['own'])}_run`)],
        }),
      )
    const init = logged(log, caller('p', [], { init: ({ tools }: Config) => ({ tools }) }))
    const { state } = await sendTo([init, withState('t2'), withState('t1')])
    expect(log.slice(0, 5)).to.deep.equal([
      't2.init',
      't1.init',
      't2.getToolSchemas',
      't1.getToolSchemas',
      'p.init',
    ])
    expect(state['tools']).to.deep.equal([schema('t2_run'), schema('t1_run')])
  })

  it('CL-30 refuses two schemas of one name, and names both tools', async () => {
    const plugins = [
      provider('p'),
      tool('web', { schemas: ['search'] }),
      tool('files', { schemas: ['search'] }),
    ]
    const error = await errorOf(sendTo(plugins))
    expect(error).to.include({ code: 'TOOL_NAME_TAKEN', plugin: 'files' })
    expect(error.message).to.include('"search"').and.include('"web"').and.include('"files"')
  })

  it("CL-31 shows the schemas as the config's tools to all but the tools", async () => {
    const seen: { [name: string]: unknown } = {}
    const look = (name: string) => (config: Config, state: State) => {
      seen[name] = config.tools
      return state ?? {}
    }
    const plugins = [
      caller('p', [], { init: look('p') }),
      extension('e', { init: look('e') }),
      feature('f', { init: look('f') }),
      tool('t', { init: look('t'), schemas: ['run'] }),
    ]
    await sendTo(plugins, { greeting: 'hi' })
    const schemas = [schema('run')]
    expect(seen).to.deep.equal({ p: schemas, e: schemas, f: schemas, t: undefined })
  })

  it("CL-31 replaces tools that stand in the config, and shows them to the tools' own init", async () => {
    const given = [schema('given')]
    let seenByTool: unknown
    const init = ({ tools }: Config) => {
      seenByTool = tools
      return {}
    }
    expect(
      await toolsSeen([tool('t', { init, schemas: ['run'] })], { tools: given }),
    ).to.deep.equal([schema('run')])
    expect(seenByTool).to.equal(given)
  })

  it('CL-32 makes one shared state: the provider first, then extensions and features', async () => {
    const add = (name: string) => (config: Config, state: State) => ({
      ...state,
      order: [...(state['order'] as string[]), `${name} ${String(config['greeting'])}`],
    })
    const { state } = await sendTo(
      [
        feature('f', { init: add('f') }),
        extension('e2', { init: add('e2') }),
        caller('p', [], { init: () => ({ order: ['p'] }) }),
        extension('e1', { init: add('e1') }),
      ],
      { greeting: 'hi' },
    )
    expect(state).to.deep.equal({ order: ['p', 'e2 hi', 'e1 hi', 'f hi'] })
  })

  it("CL-32 keeps a tool's state apart from the shared one", async () => {
    const { state } = await sendTo([
      caller('p', []),
      tool('t', { init: () => ({ secret: 1 }), schemas: ['run'] }),
    ])
    expect(state).to.deep.equal({})
  })

  it('CL-33 edits the core messages first, then makes them native', async () => {
    const log: string[] = []
    const edit = (name: string) => (messages: readonly string[]) => [...messages, name]
    const add = (name: string) => (_messages: unknown, native: readonly string[]) => [
      ...native,
      name,
    ]
    const plugins = [
      caller('p', [], {
        toNative: (messages: readonly string[]) => messages.map((text) => `native ${text}`),
      }),
      feature('f', { editMessages: edit('edited by f'), toNative: add('f') }),
      extension('e', { editMessages: edit('edited by e'), toNative: add('e') }),
    ]
    const { native } = await sendTo(
      plugins.map((plugin) => logged(log, plugin)),
      {},
      { messages: ['hi'] },
    )
    expect(native).to.deep.equal([
      'native hi',
      'native edited by e',
      'native edited by f',
      'e',
      'f',
    ])
    expect(log).to.deep.equal([
      'e.editMessages',
      'f.editMessages',
      'p.toNative',
      'e.toNative',
      'f.toNative',
      'p.call',
    ])
  })

  it('CL-33 gives the state to the provider only, the messages to all', async () => {
    const seen: unknown[] = []
    const look = (messages: unknown, upstream: unknown) => {
      seen.push([messages, upstream])
      return ['native']
    }
    const init = () => ({ is: 'state' })
    await sendTo(
      [
        caller('p', [], { init, toNative: look }),
        extension('e', { toNative: look }),
        feature('f', { toNative: look }),
      ],
      {},
      { messages: ['hi'] },
    )
    expect(seen).to.deep.equal([
      [['hi'], { is: 'state' }],
      [['hi'], ['native']],
      [['hi'], ['native']],
    ])
  })

  it('CL-33 edits messages with the state that all of init made', async () => {
    const editMessages = (messages: readonly unknown[], state: State) => [
      ...messages,
      state['last'],
    ]
    const init = (_config: Config, state: State) => ({ ...state, last: 'f' })
    const plugins = [caller('p', []), extension('e', { editMessages }), feature('f', { init })]
    expect((await sendTo(plugins)).native).to.deep.equal(['f'])
  })

  it('CL-34 gives each a last look: provider, extensions, features', async () => {
    const look = (name: string) => (native: readonly string[], state: State) => [
      [...native, name],
      { ...state, [name]: Object.keys(state).length },
    ]
    const { native, state } = await sendTo([
      feature('f', { initializeRequest: look('f') }),
      extension('e', { initializeRequest: look('e') }),
      caller('p', [], { initializeRequest: look('p') }),
    ])
    expect(native).to.deep.equal(['p', 'e', 'f'])
    expect(state).to.deep.equal({ p: 0, e: 1, f: 2 })
  })

  it('CL-43 runs no hook of a plugin that is off', async () => {
    const log: string[] = []
    const wants = { requires: ['nobody has'] }
    const plugins = [
      provider('p'),
      logged(log, passing('extension', 'e', wants)),
      logged(log, passing('feature', 'f', wants)),
      logged(log, tool('t', { ...wants, init: () => ({}), schemas: ['run'] })),
    ]
    await sendTo(plugins)
    await streamTo(plugins)
    expect(log).to.deep.equal([])
  })

  it('CL-43 runs the hooks of a plugin that is on, so that the rule says something', async () => {
    const log: string[] = []
    const plugins = [provider('p'), logged(log, tool('t', { init: () => ({}), schemas: ['run'] }))]
    await sendTo(plugins)
    expect(log).to.deep.equal(HOOKS_OF_A_TOOL)
  })

  it("CL-46 gives a provider the host's own JSON Schema, untouched but for what stays with the host", async () => {
    const inputSchema = {
      type: 'object',
      properties: { path: { type: 'string', format: 'uri' } },
      additionalProperties: { type: 'number' },
    }
    const own = { ...schema('read'), input_schema: inputSchema, output_schema: { type: 'string' } }
    const plugin = tool('t', { getToolSchemas: () => [{ ...own, safety: { is_read_only: true } }] })
    expect(await toolsSeen([plugin])).to.deep.equal([own])
  })

  it('ends with an error that names plugin, hook and phase where a hook throws', async () => {
    for (const hook of ['init', 'editMessages', 'toNative', 'initializeRequest']) {
      const boom = () => {
        throw new Error('boom')
      }
      const error = await errorOf(sendTo([provider('p'), feature('f', { [hook]: boom })]))
      expect(error).to.include({ code: 'HOOK_FAILED', plugin: 'f', hook, phase: 'prepare' })
    }
  })
})
