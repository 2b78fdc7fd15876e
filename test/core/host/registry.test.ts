import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createHost, type Host, type HostError } from '../../../src/core/index.ts'
import type { Log } from '../../../src/plugin/index.ts'

interface Package {
  /** What the manifest says. */
  readonly says: { readonly kind: string; readonly name: string; readonly [fact: string]: unknown }
  /** The module's default export, as code. */
  readonly is?: string
}

/** The names of the modules that ran, in `globalThis`: modules are run, and no import is traced. */
const ran = (): string[] => ((globalThis as { ranModules?: string[] }).ranModules ??= [])

describe('the registry of a host', () => {
  let folder: string
  let host: Host | undefined
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    ran().length = 0
  })
  afterEach(async () => {
    await host?.close()
    host = undefined
    await rm(folder, { recursive: true })
  })

  /** A package of one plugin or several, whose modules say when they run. */
  async function packageOf(name: string, plugins: readonly Package[]): Promise<string> {
    const path = join(folder, name)
    await mkdir(path)
    const described = plugins.map(({ says }, at) => ({ ...says, entry: `./${at}.mjs` }))
    const json = { name, version: '1.0.0', braidwork: { apiVersion: 1, plugins: described } }
    await writeFile(join(path, 'package.json'), JSON.stringify(json))
    for (const [at, { says, is = JSON.stringify(says) }] of plugins.entries()) {
      const mark = `;(globalThis.ranModules ??= []).push('${says.name}')`
      await writeFile(join(path, `${at}.mjs`), `${mark}\nexport default ${is}\n`)
    }
    return path
  }

  const provider = (name: string): Package => ({
    says: { kind: 'provider', name },
    is: `{ kind: 'provider', name: '${name}', call: (native, state) => [[], [], native, state] }`,
  })
  const extension = (name: string, more: object = {}): Package => ({
    says: { kind: 'extension', name, ...more },
  })

  it('runs no module before a config has a use for it', async () => {
    const path = await packageOf('several', [
      provider('one'),
      provider('two'),
      extension('on'),
      extension('off', { defaultEnabled: false }),
      extension('other', { providers: ['two'] }),
    ])
    host = await createHost({ plugins: [path] })
    expect(ran()).to.deep.equal([])
    await host.resolve({ provider: 'one' })
    expect(ran()).to.have.members(['one', 'on'])
    await host.resolve({ provider: 'two', enabled_plugins: ['off'] })
    expect(ran()).to.have.members(['one', 'on', 'two', 'off', 'other'])
    const { trace } = await host.resolve({ provider: 'one' })
    expect(trace.map(({ plugin, rule }) => `${plugin}: ${rule}`)).to.deep.equal([
      'one: provider',
      'two: other provider',
      'on: tags',
      'off: off by default',
      'other: other provider',
    ])
  })

  it('runs a module once, however many ask at once', async () => {
    host = await createHost({ plugins: [await packageOf('p', [provider('one')])] })
    await Promise.all([host.resolve(), host.resolve(), host.explain()])
    expect(ran()).to.deep.equal(['one'])
  })

  it('loads all to explain what would turn a plugin on', async () => {
    host = await createHost({
      plugins: [
        await packageOf('p', [provider('one'), extension('off', { defaultEnabled: false })]),
      ],
    })
    const explained = await host.explain()
    expect(explained.find(({ plugin }) => plugin === 'off')?.change).to.deep.equal([
      [{ edit: 'add', list: 'enabled_plugins', plugin: 'off' }],
    ])
    expect(ran()).to.have.members(['one', 'off'])
  })

  it('shows a plugin that is off by its manifest in the settings, without running it', async () => {
    host = await createHost({
      plugins: [
        await packageOf('p', [
          provider('one'),
          extension('off', { defaultEnabled: false, title: 'Quite off' }),
        ]),
      ],
    })
    const { sections, schema } = await host.uiSchema()
    expect(sections.find(({ plugin }) => plugin === 'off')).to.include({
      title: 'Quite off',
      on: false,
    })
    expect(JSON.stringify(schema)).to.include('Quite off')
    expect(ran()).to.deep.equal(['one'])
  })

  it('keeps the settings of a plugin that is not loaded from the others', async () => {
    const seen = { value: '' }
    const looker = {
      kind: 'extension',
      name: 'looker',
      getTags: (config: object) => {
        seen.value = JSON.stringify(config)
        return []
      },
    }
    host = await createHost({
      plugins: [
        await packageOf('p', [provider('one'), extension('off', { defaultEnabled: false })]),
        looker,
      ],
    })
    await host.resolve({ settings: { off: { token: 'sesame' } } })
    expect(seen.value).to.include('"off":{"$secret":true}')
  })

  it('fills a secret from the environment when the plugin is loaded, and masks it from then on', async () => {
    process.env['BRAIDWORK_TEST_KEY'] = 'open-sesame'
    const is = `{ kind: 'provider', name: 'one', configSchema: { type: 'object', properties: { key: { type: 'string', writeOnly: true, 'x-env': 'BRAIDWORK_TEST_KEY' } } },
      call: (_native, _state, { config }) => { throw new Error('the key is ' + config.settings.one.key) } }`
    host = await createHost({
      plugins: [await packageOf('p', [{ says: { kind: 'provider', name: 'one' }, is }])],
    })
    delete process.env['BRAIDWORK_TEST_KEY']
    const { error } = await host.stream({}, 'Hello').result
    expect(error?.message).to.match(/the key is \*\*\*/)
  })

  it('is off with a diagnostic where its module is missing, throws or is another plugin', async () => {
    const path = await packageOf('p', [
      provider('one'),
      {
        says: { kind: 'extension', name: 'thrower' },
        is: "(() => { throw new Error('at import') })()",
      },
      { says: { kind: 'extension', name: 'renamed' }, is: "{ kind: 'extension', name: 'other' }" },
      { says: { kind: 'tool', name: 'turned' }, is: "{ kind: 'feature', name: 'turned' }" },
      extension('gone'),
      {
        says: { kind: 'extension', name: 'bold', defaultEnabled: false },
        is: "{ kind: 'extension', name: 'bold' }",
      },
      {
        says: { kind: 'extension', name: 'narrow', providers: ['one'] },
        is: "{ kind: 'extension', name: 'narrow' }",
      },
    ])
    await rm(join(path, '4.mjs'))
    host = await createHost({ plugins: [path] })
    const { diagnostics, trace } = await host.resolve({ enabled_plugins: ['bold'] })
    expect(trace.map(({ plugin }) => plugin)).to.deep.equal(['one'])
    expect(diagnostics.map(({ code, plugin }) => `${plugin} ${code}`)).to.have.members([
      'gone MANIFEST_INVALID',
      'bold MANIFEST_INVALID',
      'narrow MANIFEST_INVALID',
      'bold PLUGIN_UNKNOWN',
      'thrower PLUGIN_NOT_LOADED',
      'renamed MANIFEST_INVALID',
      'turned MANIFEST_INVALID',
    ])
  })

  it('says which package and file exports a function in place of a plugin', async () => {
    const is = "() => ({ kind: 'feature', name: 'mine' })"
    const path = await packageOf('mine', [
      provider('p'),
      { says: { kind: 'feature', name: 'mine' }, is },
    ])
    host = await createHost({ plugins: [path] })
    const [fault] = (await host.resolve({})).diagnostics
    expect(fault).to.include({ code: 'PLUGIN_INVALID', plugin: 'mine' })
    expect(fault?.message).to.equal(
      `A function in "mine" (${join(path, '1.mjs')}) is not a plugin; give the object that it returns, with "kind" and "name".`,
    )
  })

  it('says why the provider of a config could not be loaded', async () => {
    const path = await packageOf('p', [
      { says: { kind: 'provider', name: 'one' }, is: 'undefined' },
    ])
    host = await createHost({ plugins: [path] })
    const error = await host.resolve({ provider: 'one' }).catch((thrown: unknown) => thrown)
    expect(error).to.include({ code: 'PLUGIN_NOT_LOADED', provider: 'one' })
  })

  it('says what was not loaded where there is no provider to resolve for', async () => {
    host = await createHost({ plugins: ['./none.mjs', 'no-such-provider'] })
    for (const config of [{}, { provider: 'no-such-provider' }]) {
      for (const asked of [host.resolve(config), host.explain(config), host.send(config, 'hi')]) {
        const error = (await asked.catch((thrown: unknown) => thrown)) as HostError
        expect(error.code).to.match(/^PROVIDER_(MISSING|UNKNOWN)$/)
        expect(error.message).to.include('there is no file or folder "./none.mjs"')
        expect(error.message).to.include('Plugin "no-such-provider" could not be loaded')
      }
    }
  })

  it('says in the log what keeps a plugin off, when it is found', async () => {
    const path = await packageOf('p', [provider('one'), { ...extension('late'), is: 'undefined' }])
    const lines: object[] = []
    const log: Log = ({ level, code, plugin }) => void lines.push({ level, code, plugin })
    host = await createHost({ plugins: [path, './none.mjs'], log })
    const none = { level: 'error', code: 'PLUGIN_NOT_LOADED', plugin: './none.mjs' }
    expect(lines).to.deep.equal([none])
    await host.resolve()
    const late = { level: 'error', code: 'PLUGIN_NOT_LOADED', plugin: 'late' }
    expect(lines).to.deep.equal([none, late])
  })

  for (const [title, options, says] of [
    ['nothing', undefined, "createHost needs options, such as { plugins: ['scripted'] }."],
    ['a name instead of a list', { plugins: 'scripted' }, '"plugins" of createHost must be a list'],
    [
      'an option misspelled',
      { plugin: [] },
      'no option "plugin". Did you mean "plugins"? It takes',
    ],
    [
      'an option of "python" misspelled',
      { python: { executible: 'python3' } },
      '"python" of createHost has no option "executible". Did you mean "executable"?',
    ],
    [
      'an interpreter without the name of its option',
      { python: '/usr/bin/python3' },
      '"python" of createHost must be an object, as in { python: { executable:',
    ],
    [
      'a number for an interpreter',
      { python: { executable: 5 } },
      '"executable" of "python" of createHost must be a path or a name',
    ],
  ] as const) {
    it(`refuses options that are none: ${title}`, async () => {
      const error = await createHost(options as object).catch((thrown: unknown) => thrown)
      expect(error).to.include({ code: 'OPTION_INVALID' })
      expect((error as Error).message).to.include(says)
    })
  }

  it('takes one plugin of a package, and the same module twice as one', async () => {
    const path = await packageOf('p', [provider('one'), extension('on')])
    host = await createHost({ plugins: [path, path, join(path, '1.mjs')] })
    const { trace, diagnostics } = await host.resolve()
    expect(trace.map(({ plugin }) => plugin)).to.deep.equal(['one', 'on'])
    expect(diagnostics).to.deep.equal([])
  })

  it('names both where two packages have a plugin of one name', async () => {
    const paths = [
      await packageOf('a', [provider('one'), extension('same')]),
      await packageOf('b', [extension('same')]),
    ]
    host = await createHost({ plugins: paths })
    const { diagnostics } = await host.resolve()
    expect(diagnostics.map(({ code, plugin }) => `${plugin} ${code}`)).to.deep.equal([
      'same PLUGIN_NAME_TAKEN',
    ])
  })
})
