import { expect } from 'chai'
import { createHost, type Host } from '../../../src/core/host/index.ts'
import type { Config } from '../../../src/plugin/config.ts'
import { textEvents, textProvider } from '../../helpers/hosts.ts'
import { errorOf, eventProvider, extension, feature, schema, tool } from '../../helpers/plugins.ts'

describe('createHost', () => {
  it('takes what is wrong with a plugin as a diagnostic, and stands', async () => {
    const host = await createHost({
      plugins: [
        textProvider(),
        3,
        null,
        { kind: 'provider', name: 'idle' },
        extension('typo', { proccessChunk: () => [] }),
        extension('wrong', { init: 'later' }),
        'no-such-package',
        './no/such/file.js',
      ],
    })
    const { diagnostics, enabled } = await host.resolve()
    expect(diagnostics.map(({ code, plugin }) => [code, plugin])).to.deep.equal([
      ['PLUGIN_INVALID', undefined],
      ['PLUGIN_INVALID', undefined],
      ['PLUGIN_INVALID', 'idle'],
      ['PLUGIN_INVALID', 'typo'],
      ['PLUGIN_INVALID', 'wrong'],
      ['PLUGIN_NOT_LOADED', 'no-such-package'],
      ['PLUGIN_NOT_LOADED', './no/such/file.js'],
    ])
    expect(diagnostics[3]?.message).to.contain('Did you mean "processChunk"?')
    expect(enabled.extensions).to.deep.equal([])
    expect((await host.send({}, 'hi')).status).to.equal('done')
  })

  it('turns the second of two plugins of one name off', async () => {
    const first = extension('twin')
    const host = await createHost({ plugins: [textProvider(), first, first, feature('twin')] })
    const { diagnostics, enabled } = await host.resolve()
    expect(enabled).to.deep.equal({ extensions: ['twin'], features: [], tools: [] })
    expect(diagnostics.map(({ code }) => code)).to.deep.equal(['PLUGIN_NAME_TAKEN'])
    expect(diagnostics[0]?.message).to.match(
      /^The \w+ "\w+" from plugins\[\d\] is off: plugins\[\d\] already has that name/,
    )
  })

  it('loads bundled plugins by name, and those that the config lists after the others', async () => {
    const host = await createHost({
      plugins: [extension('own')],
      config: { plugins: ['scripted', '@braidwork/tool-clock'] },
    })
    const { provider, trace } = await host.resolve()
    expect(provider).to.equal('scripted')
    expect(trace.map((entry) => entry.plugin)).to.deep.equal(['own', 'scripted', 'clock'])
  })

  it('shows no secret in a line of its log, whoever wrote it', async () => {
    const lines: unknown[] = []
    interface Voice {
      warn(text: string): void
      log(entry: object): void
    }
    const provider = textProvider('x', {
      configSchema: { type: 'object', properties: { key: { writeOnly: true } } },
      refreshModels: (_config: unknown, context: Voice) => {
        context.warn('used sk-12345')
        context.log({ level: 'info', message: 'asked', headers: { key: 'sk-12345' } })
        return []
      },
      close: () => {
        throw new Error('sk-12345 is still open')
      },
    })
    const host = await createHost({
      plugins: [provider],
      config: { settings: { p: { key: 'sk-12345' } } },
      log: (line) => lines.push(line),
    })
    await host.refreshModels()
    await host.close()
    expect(lines).to.have.length(3)
    expect(JSON.stringify(lines)).to.not.contain('sk-12345')
  })

  it('gives the hooks of plugins in its list the types of their arguments', async () => {
    const host = await createHost({
      plugins: [
        textProvider('hello'),
        {
          kind: 'feature',
          name: 'short',
          // `npm run types` is the test here: without a type, the arguments would be refused.
          editMessages: (messages, _state, { warn }) => {
            warn('shortened')
            return messages.slice(-1)
          },
        },
      ],
    })
    const { warnings } = await host.send({}, 'hi')
    expect(warnings).to.deep.equal(['short: shortened'])
    await host.close()
  })

  it('reads a setting from the variable that its schema names', async () => {
    process.env['BRAIDWORK_TEST_KEY'] = 'from-the-environment'
    try {
      const seen: unknown[] = []
      const provider = textProvider('ok', {
        configSchema: {
          type: 'object',
          properties: { key: { type: 'string', writeOnly: true, 'x-env': 'BRAIDWORK_TEST_KEY' } },
        },
        init: (config: Config) => ({
          count: seen.push(config.settings?.['p']?.['key']),
        }),
      })
      const host = await createHost({ plugins: [provider] })
      await host.send({}, 'hi')
      expect(seen).to.deep.equal(['from-the-environment'])
    } finally {
      delete process.env['BRAIDWORK_TEST_KEY']
    }
  })

  it('closes its plugins once, and goes on where one throws', async () => {
    const closed: string[] = []
    const logs: string[] = []
    const host = await createHost({
      plugins: [
        textProvider('ok', { close: () => void closed.push('p') }),
        extension('bad', {
          close: () => {
            throw new Error('stuck')
          },
        }),
        extension('good', { close: async () => void closed.push('good') }),
      ],
      log: ({ message }) => logs.push(message),
    })
    await Promise.all([host.close(), host.close()])
    expect(closed).to.deep.equal(['p', 'good'])
    expect(logs.join()).to.contain('stuck')
  })

  it('refuses a config that is not plain JSON, with a pointer', async () => {
    const cycle: { [key: string]: unknown } = {}
    cycle['inner'] = { cycle }
    for (const [config, pointer] of [
      [cycle, '/inner/cycle'],
      [JSON.parse('{"settings": {"__proto__": {"polluted": true}}}'), '/settings/__proto__'],
      [{ settings: { p: { when: new Date() } } }, '/settings/p/when'],
      [{ extra: () => 1 }, '/extra'],
    ] as const) {
      const error = await errorOf(createHost({ plugins: [], config }))
      expect(error).to.deep.include({ code: 'CONFIG_INVALID', pointer })
    }
    expect(({} as { polluted?: boolean }).polluted).to.equal(undefined)
  })
})

describe("the host's own config", () => {
  it('is the same for each request, whatever a plugin or its caller changes', async () => {
    const config = { settings: { p: { words: ['a'] } } }
    const provider = eventProvider(textEvents('hello'), {
      init: ({ settings }: { readonly settings: { readonly p: { readonly words: string[] } } }) => {
        settings.p.words.push('b')
        return {}
      },
    })
    const host = await createHost({ plugins: [provider], config })
    config.settings.p.words.push('c')
    for (const asked of [{}, {}, { seed: 1 }]) {
      const error = await errorOf(host.send(asked, 'hi'))
      expect(error).to.include({ code: 'HOOK_FAILED', plugin: 'p', hook: 'init' })
    }
    expect((await host.shownConfig()).settings).to.deep.equal({ p: { words: ['a'] } })
  })
})

describe('host.resolve', () => {
  it('gives diagnostics that nobody can change for the next', async () => {
    const host = await createHost({ plugins: [textProvider(), 3] })
    const { diagnostics } = await host.resolve()
    expect(diagnostics[0]).to.satisfy(Object.isFrozen)
  })

  it('adds diagnostics for unknown keys and for settings that nobody reads', async () => {
    const host = await createHost({ plugins: [textProvider()] })
    const { diagnostics } = await host.resolve({ temprature: 1, settings: { q: {} } })
    expect(diagnostics).to.deep.equal([
      {
        code: 'CONFIG_KEY_UNKNOWN',
        level: 'warning',
        pointer: '/temprature',
        message:
          'The key "temprature" is unknown to the host, which passes it to plugins unchanged. Did you mean "temperature"?',
      },
      {
        code: 'SETTINGS_UNUSED',
        plugin: 'q',
        level: 'warning',
        pointer: '/settings/q',
        message: 'The config has settings for "q", which is not registered. Did you mean "p"?',
      },
    ])
  })

  it('says that a request loads no plugins', async () => {
    const host = await createHost({ plugins: [textProvider()], config: { plugins: [] } })
    const { diagnostics } = await host.resolve({ plugins: ['clock'] })
    expect(diagnostics.map(({ code }) => code)).to.deep.equal(['PLUGINS_IGNORED'])
    expect((await host.resolve({ model: 'm' })).diagnostics).to.deep.equal([])
  })

  it("lays the config of a request over the host's", async () => {
    const host = await createHost({
      plugins: [textProvider('x', { models: ['m1', 'm2'] }), extension('a'), extension('b')],
      config: { model: 'm1', disabled_plugins: ['a'] },
    })
    const resolution = await host.resolve({ model: 'm2', disabled_plugins: { add: ['b'] } })
    expect(resolution.model).to.equal('m2')
    expect(resolution.enabled.extensions).to.deep.equal([])
  })
})

describe('settings of a plugin', () => {
  const strict = textProvider('ok', {
    configSchema: {
      type: 'object',
      properties: { voice: { type: 'string' } },
      additionalProperties: false,
    },
  })

  it('are checked before anything runs', async () => {
    const host = await createHost({ plugins: [strict] })
    const error = await errorOf(host.send({ settings: { p: { voise: 'low' } } }, 'hi'))
    expect(error).to.deep.include({
      code: 'SETTINGS_INVALID',
      plugin: 'p',
      pointer: '/settings/p/voise',
    })
    expect(error.message).to.contain('Did you mean "voice"?')
  })

  it('of a plugin that is off are not', async () => {
    const off = extension('off', {
      defaultEnabled: false,
      configSchema: { type: 'object', required: ['key'] },
    })
    const host = await createHost({ plugins: [strict, off] })
    expect((await host.send({ settings: { off: { other: 1 } } }, 'hi')).status).to.equal('done')
    expect((await errorOf(host.send({ enabled_plugins: ['off'] }, 'hi'))).pointer).to.equal(
      '/settings/off/key',
    )
  })
})

describe('host.toolSchemas', () => {
  it('gives the tools that are on, with their plugin, under the names that the model sees', async () => {
    const host = await createHost({
      plugins: [
        textProvider(),
        tool('web', { schemas: ['look up'] }),
        tool('off', { schemas: ['x'], defaultEnabled: false }),
      ],
    })
    expect(await host.toolSchemas()).to.deep.equal([
      { plugin: 'web', ...schema('look up'), name: 'look_up', ownName: 'look up' },
    ])
    const renamed = await host.toolSchemas({ tool_names: { 'web.look up': 'search' } })
    expect(renamed.map(({ name }) => name)).to.deep.equal(['search'])
  })

  it('names both tools where two offer the same name', async () => {
    const host = await createHost({
      plugins: [
        textProvider(),
        tool('web', { schemas: ['search'] }),
        tool('files', { schemas: ['search'] }),
      ],
    })
    const error = await errorOf(host.toolSchemas())
    expect(error.code).to.equal('TOOL_NAME_TAKEN')
    expect(error.message).to.contain('"web"').and.to.contain('"files"')
  })
})

describe('host.dryRun', () => {
  it('gives the native request and the state without any I/O', async () => {
    let asked = false
    const provider = eventProvider([], {
      init: () => ({ a: 1 }),
      toNative: (messages: readonly unknown[]) => ({ count: messages.length }),
      stream: () => {
        asked = true
        return []
      },
    })
    const host = await createHost({
      plugins: [
        provider,
        extension('b', { init: (_config: unknown, state: object) => ({ ...state, b: 2 }) }),
      ],
    })
    expect(await host.dryRun({}, 'hi')).to.deep.equal({
      native: { count: 1 },
      state: { a: 1, b: 2 },
    })
    expect(asked).to.equal(false)
  })

  it('takes the conversation and the tools that a request would have', async () => {
    const provider = eventProvider([], {
      tags: ['tools'],
      init: ({ tools }: { tools: readonly { name: string }[] }, context: object) => ({
        tools: tools.map(({ name }) => name),
        conversation: 'conversationId' in context ? context.conversationId : undefined,
      }),
    })
    const host = await createHost({ plugins: [provider] })
    const options = { tools: [schema('mine')], conversationId: 'c' }
    const { state } = await host.dryRun({}, 'hi', options)
    expect(state).to.deep.equal({ tools: ['mine'], conversation: 'c' })
  })
})

describe('the context of a hook that host.dryRun runs', () => {
  it('is as in a request', async () => {
    const seen: unknown[] = []
    interface Facts {
      readonly modelInfo: object
      readonly requestId: string
    }
    const provider = textProvider('x', {
      models: ['m'],
      getModelInfo: () => ({ contextWindow: 5 }),
      init: (_config: unknown, { modelInfo, requestId }: Facts) => {
        seen.push([modelInfo, typeof requestId])
        return {}
      },
    })
    const host = await createHost({ plugins: [provider] })
    await host.dryRun({}, 'hi')
    await host.send({}, 'hi')
    expect(seen[0]).to.deep.equal([{ contextWindow: 5 }, 'string'])
    expect(seen[1]).to.deep.equal(seen[0])
  })

  it('is cancelled by the host that closes', async () => {
    const never = new Promise(() => undefined)
    const host: Host = await createHost({
      plugins: [textProvider('x', { init: () => host.close().then(() => never) })],
    })
    expect((await errorOf(host.dryRun({}, 'hi'))).code).to.equal('ABORTED')
  })
})

describe('host.refreshModels', () => {
  it('keeps what one server has apart from what another has', async () => {
    const host = await createHost({ plugins: [textProvider('x', { refreshModels: () => ['m'] })] })
    const provider = (await host.resolve()).provider
    const configFor = (server: string) => ({ settings: { [provider]: { server } } })
    await host.refreshModels(configFor('here'))
    expect((await host.resolve(configFor('here'))).models).to.deep.equal(['m'])
    expect((await host.resolve(configFor('there'))).models).to.deep.equal([])
  })

  it('asks the provider, and its models are on offer from then on', async () => {
    const provider = textProvider('x', { models: ['m1'], refreshModels: async () => ['m2', 'm3'] })
    const host = await createHost({ plugins: [provider] })
    expect((await host.resolve()).models).to.deep.equal(['m1'])
    expect(await host.refreshModels()).to.deep.equal(['m2', 'm3'])
    expect((await host.resolve()).models).to.deep.equal(['m1', 'm2', 'm3'])
    expect(
      (await host.resolve({ settings: { p: { base_url: 'http://other' } } })).models,
    ).to.deep.equal(['m1'])
  })

  it("gives a list that is the caller's own", async () => {
    const host = await createHost({ plugins: [textProvider('x', { refreshModels: () => ['m'] })] })
    ;((await host.refreshModels()) as string[]).push('mine')
    expect((await host.resolve()).models).to.deep.equal(['m'])
  })

  it('asks nothing of a provider without the hook', async () => {
    const host = await createHost({ plugins: [textProvider('x', { models: ['m1'] })] })
    expect(await host.refreshModels()).to.deep.equal(['m1'])
  })
})

describe('host.modelInfo', () => {
  const told = (id: string, { settings }: Config) => ({ id, seen: settings })

  it('asks the provider about a model, by default the config’s, or the first on offer', async () => {
    const provider = textProvider('x', {
      models: ['m1', 'm2'],
      getModelInfo: async (id: string) => ({ contextWindow: Number(id.at(-1)) }),
    })
    const host = await createHost({ plugins: [provider] })
    expect(await host.modelInfo()).to.deep.equal({ contextWindow: 1 })
    expect(await host.modelInfo({ model: 'm2' })).to.deep.equal({ contextWindow: 2 })
    expect(await host.modelInfo({ model: 'm2' }, 'other-7')).to.deep.equal({ contextWindow: 7 })
  })

  it('gives the provider the config of the question', async () => {
    const host = await createHost({ plugins: [textProvider('x', { getModelInfo: told })] })
    expect(await host.modelInfo({ settings: { p: { a: 1 } } }, 'm')).to.deep.equal({
      id: 'm',
      seen: { p: { a: 1 } },
    })
  })

  it('knows nothing where the provider has no such hook', async () => {
    const host = await createHost({ plugins: [textProvider('x', { models: ['m1'] })] })
    expect(await host.modelInfo()).to.deep.equal({})
  })

  it('fails with the code of what the provider throws', async () => {
    const getModelInfo = () => {
      throw new Error('no idea')
    }
    const host = await createHost({ plugins: [textProvider('x', { getModelInfo })] })
    const { code, plugin, hook } = await errorOf(host.modelInfo({}, 'm'))
    expect([code, plugin, hook]).to.deep.equal(['HOOK_FAILED', 'p', 'getModelInfo'])
  })
})

describe('host.runAction', () => {
  const notes = feature('notes', {
    runAction: async (
      id: string,
      input: unknown,
      {
        storage,
      }: {
        storage: {
          set(key: string, value: unknown): Promise<void>
          get(key: string): Promise<unknown>
        }
      },
    ) => {
      if (id === 'write') await storage.set('note', input)
      return storage.get('note')
    },
  })

  it('refuses settings that the plugin’s schema does not let through, before the action runs', async () => {
    const properties = { size: { type: 'integer' } }
    const configSchema = { type: 'object', properties }
    const host = await createHost({ plugins: [textProvider(), { ...notes, configSchema }] })
    const config = { settings: { notes: { size: 'large' } } }
    const error = await errorOf(host.runAction('notes', 'write', 'milk', config))
    expect(error).to.include({ code: 'SETTINGS_INVALID', pointer: '/settings/notes/size' })
    expect(await host.runAction('notes', 'read', null)).to.equal(undefined)
  })

  it('runs an action of a plugin that is on, with a store of its own by conversation', async () => {
    const host = await createHost({ plugins: [textProvider(), notes] })
    expect(await host.runAction('notes', 'write', 'milk', {}, { conversationId: 'c' })).to.equal(
      'milk',
    )
    expect(await host.runAction('notes', 'read', null, {}, { conversationId: 'c' })).to.equal(
      'milk',
    )
    expect(await host.runAction('notes', 'read', null, {}, { conversationId: 'd' })).to.equal(
      undefined,
    )
  })

  const listing = (more: object = {}) =>
    feature('lister', {
      runAction: (id: string, input: unknown) => [id, input],
      getUiElements: () => [
        {
          id: 'go',
          kind: 'session-action',
          title: 'Go',
          schema: { type: 'object', properties: { x: { type: 'integer' } }, required: ['x'] },
        },
        { id: 'show', kind: 'session-action', title: 'Show', action_owner: 'notes' },
      ],
      ...more,
    })

  it('refuses an action that the form does not offer, and an input that does not match its schema', async () => {
    await using host = await createHost({ plugins: [textProvider(), notes, listing()] })
    expect(await host.runAction('lister', 'go', { x: 4 })).to.deep.equal(['go', { x: 4 }])
    const unknown = await errorOf(host.runAction('lister', 'goo', { x: 4 }))
    expect(unknown).to.include({ code: 'OPTION_INVALID', pointer: '/id', plugin: 'lister' })
    expect(unknown.message).to.equal(
      'There is no action "goo" of feature "lister"; the actions for this config are go. Did you mean "go"?',
    )
    const wrong = await errorOf(host.runAction('lister', 'go', { x: '4' }))
    expect(wrong).to.include({ code: 'OPTION_INVALID', pointer: '/input/x', plugin: 'lister' })
    expect(wrong.message).to.equal(
      'The input of action "go" of feature "lister" is not valid at /x: "x" must be of type integer.',
    )
    expect(await host.runAction('notes', 'show', 'anything')).to.equal(undefined)
    expect((await errorOf(host.runAction('notes', 'read', null))).pointer).to.equal('/id')
  })

  it('takes any action of a plugin that lists none, or whose list cannot be read', async () => {
    const getUiElements = () => {
      throw new Error('no list')
    }
    const plugins = [textProvider(), notes, listing({ getUiElements })]
    await using host = await createHost({ plugins })
    expect(await host.runAction('lister', 'other', 5)).to.deep.equal(['other', 5])
    expect(await host.runAction('notes', 'read', null)).to.equal(undefined)
  })

  it('refuses a plugin that is off, or unknown', async () => {
    const host = await createHost({ plugins: [textProvider(), notes] })
    expect(
      (await errorOf(host.runAction('notes', 'read', null, { disabled_plugins: ['notes'] }))).code,
    ).to.equal('PLUGIN_OFF')
    const unknown = await errorOf(host.runAction('note', 'read', null))
    expect(unknown.code).to.equal('PLUGIN_UNKNOWN')
    expect(unknown.message).to.contain('Did you mean "notes"?')
  })
})
