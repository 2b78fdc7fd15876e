import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect } from 'chai'
import { braidwork, type Ran } from './command.ts'
import { sharedCommand } from './shared-command.ts'

describe('config files of the command', function () {
  this.timeout(30_000)
  let folder: string
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'braidwork-')))
    await mkdir(join(folder, 'project/deep'), { recursive: true })
  })
  afterEach(() => rm(folder, { recursive: true }))

  const at = (...path: string[]): string => join(folder, 'project', ...path)

  const command = sharedCommand()

  function run(
    args: readonly string[],
    { cwd = at(), env = {} }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
  ): Promise<Ran> {
    return command(args, { cwd, env: { XDG_CONFIG_HOME: join(folder, 'xdg'), ...env } })
  }

  /** In a process of its own, which loads the plugins for the first time. */
  function runAlone(args: readonly string[]): Promise<Ran> {
    return braidwork(args, { cwd: at(), env: { XDG_CONFIG_HOME: join(folder, 'xdg') } })
  }

  async function write(path: string, value: unknown): Promise<void> {
    await writeFile(path, typeof value === 'string' ? value : JSON.stringify(value))
  }

  const FAST = { scripted: { delay_ms: 0, script: [{ then: { text: 'Hello.' } }] } }
  const provider = 'scripted'

  it('are named with the line of a variable that is not set', async () => {
    await write(at('c.json'), '{\n  "model": "${env:NO_SUCH}"}')
    const message = 'refers to the environment variable "NO_SUCH", which is not set.'
    for (const command of [
      ['config', 'check'],
      ['chat', 'hi'],
    ])
      expect((await run([...command, '--config', 'c.json'])).err).to.include(
        `ENV_MISSING: The config at /model ${message} (${at('c.json')}:2:3)`,
      )
    await write(at('store.json'), '{"server": {\n  "store": "${env:NO_SUCH}"}}')
    for (const args of [
      ['store', 'export'],
      ['tokens', 'list'],
      ['store', 'backup', 'b'],
    ])
      expect((await run([...args, '--config', 'store.json'])).err).to.include(
        `ENV_MISSING: The config at /server/store ${message} (${at('store.json')}:2:3)`,
      )
    await write(at('s.json'), '{"server": {\n  "title": "${env:NO_SUCH}"}}')
    expect((await run(['serve', '--config', 's.json'])).err).to.include(
      `ENV_MISSING: The config at /server/title ${message} (${at('s.json')}:2:3)`,
    )
  })

  it('are opened beside a plugin whose manifest is broken, which is named', async () => {
    const added = at('added')
    await mkdir(added)
    const plugin = { kind: 'provider', name: 'mine', entry: './index.js' }
    const manifest = { name: 'mine', braidwork: { apiVersion: 1, plugins: [plugin] } }
    await write(join(added, 'package.json'), manifest)
    await write(join(added, 'index.js'), 'export default { kind: "provider", name: "mine" }')
    expect((await run(['plugins', 'add', './added'])).err).to.equal('')
    await write(at('c.json'), { provider: 'scripted', settings: FAST })
    await write(at('needs.json'), { provider: 'mine' })
    for (const [file, text, reason] of [
      ['package.json', '{"name": "mine",', 'package.json of '],
      ['package.json', '{"braidwork": []}', 'it is not an object {apiVersion, plugins}'],
      ['pyproject.toml', '[tool.braidwork', ', in line 1.'],
    ] as const) {
      await rm(join(added, 'package.json'), { force: true })
      await write(join(added, file), text)
      for (const args of [['chat', 'hi'], ['plugins'], ['config', 'check']]) {
        const { out, err, status } = await run(
          [...args, '--config', 'c.json'].slice(0, args[0] === 'plugins' ? 1 : 4),
        )
        expect(err)
          .to.match(/^error MANIFEST_INVALID: [^\n]*project\/added"[^\n]*\n$/)
          .and.include(reason)
        expect([status, out !== '']).to.deep.equal([args[1] === 'check' ? 2 : 0, true])
      }
      const { err, status } = await run(['config', 'check', '--config', 'needs.json'])
      expect(status).to.equal(2)
      expect(err).to.include('MANIFEST_INVALID').and.include('error PROVIDER_UNKNOWN')
    }
  })

  it('are opened in a trusted folder whose package.json is broken', async () => {
    await write(at('c.json'), { provider: 'scripted', settings: FAST })
    await write(at('package.json'), { name: 'project' })
    expect((await run(['trust'])).status).to.equal(0)
    await write(at('package.json'), '{"name":')
    const { out, err } = await run(['chat', 'hi', '--config', 'c.json'])
    expect(out).to.include('Hello')
    expect(err).to.match(/^error MANIFEST_INVALID: package\.json of .*project" is not valid/)
    expect((await run(['trust'])).err).to.include('MANIFEST_INVALID')
  })

  it('count from the working directory upwards, once their folder is trusted', async () => {
    await write(at('braidwork.json'), {
      settings: { scripted: { delay_ms: 0 } },
      model: 'scripted-mini',
    })
    const cwd = at('deep')
    const before = await run(['config', 'show'], { cwd })
    expect(before.out).to.equal('{}\n')
    expect(before.err).to.include('FOLDER_UNTRUSTED').and.include('its folder is not trusted yet')
    expect((await run(['trust', '..'], { cwd })).out).to.include(at('braidwork.json'))
    const after = await run(['config', 'show'], { cwd })
    expect(JSON.parse(after.out)).to.include({ model: 'scripted-mini' })
    await write(at('braidwork.json'), { model: 'other' })
    expect((await run(['config', 'show'], { cwd })).err).to.include(
      'it changed since its folder was trusted',
    )
    expect((await run(['trust', '--revoke'])).out).to.include('no longer trusted')
    expect((await run(['config', 'show'])).err).to.include('not trusted yet')
  })

  it('load no plugin of a folder that is not trusted', async () => {
    await write(
      at('mark.mjs'),
      `process.stderr.write('the plugin ran'); export default { kind: 'extension', name: 'mark' }`,
    )
    await write(at('braidwork.json'), { plugins: ['./mark.mjs'] })
    const before = await runAlone(['chat', 'hi'])
    expect(before.err).to.include('FOLDER_UNTRUSTED').and.not.include('the plugin ran')
    expect((await runAlone(['chat', 'hi', '--config', 'braidwork.json'])).err).to.include(
      'the plugin ran',
    )
    await runAlone(['trust'])
    expect((await runAlone(['chat', 'hi'])).err).to.include('the plugin ran')
  })

  it("stand upon the user's, and below the command line, and say of each value where it is from", async () => {
    await mkdir(join(folder, 'xdg/braidwork'), { recursive: true })
    await write(join(folder, 'xdg/braidwork/braidwork.json'), {
      seed: 1,
      temperature: 1,
      enabled_plugins: ['a'],
    })
    await write(at('braidwork.json'), {
      temperature: 0,
      enabled_plugins: { add: ['calculator'] },
      top_p: 1,
    })
    await run(['trust'])
    const { out } = await run(['config', 'show', '--explain', '--set', 'top_p=0.5'])
    const rows = out
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.split(/\s{2,}/))
    const user = `user (${join(folder, 'xdg/braidwork/braidwork.json')})`
    const project = `project (${at('braidwork.json')})`
    expect(rows).to.deep.equal([
      ['/seed', '1', user],
      ['/temperature', '0', project],
      ['/enabled_plugins', '["a","calculator"]', `${user}, ${project}`],
      ['/top_p', '0.5', 'command line'],
    ])
  })

  it('show no secret, and say where one is from', async () => {
    await write(
      at('keyed.mjs'),
      `export default { kind: 'extension', name: 'keyed', configSchema: { type: 'object', properties: {
      key: { type: 'string', writeOnly: true }, other: { type: 'string', writeOnly: true, 'x-env': 'KEYED_OTHER' } } } }`,
    )
    await write(at('braidwork.json'), {
      plugins: ['./keyed.mjs'],
      settings: { keyed: { key: 'open-sesame' } },
    })
    const options = ['--config', 'braidwork.json']
    const env = { KEYED_OTHER: 'other-sesame' }
    const shown = await run(['config', 'show', ...options], { env })
    const explained = await run(['config', 'show', '--explain', ...options], { env })
    expect(shown.out + explained.out + shown.err + explained.err).not.to.include('sesame')
    expect(explained.out).to.match(/\/settings\/keyed\/key +\*\*\* +file/)
    expect(explained.out).to.match(/\/settings\/keyed\/other +\*\*\* +environment/)
  })

  it('show no secret that stands in an address, an argument or a free object', async () => {
    const address = 'http://ada:open-sesame@127.0.0.1:1/v1?key=open-sesame&page=2#top'
    const own = {
      base_url: address,
      body: { api_key: 'open-sesame', apiKey: 'open-sesame', keyboard: 'qwerty' },
      args: ['x.js', '--token', 'open-sesame', '--api-key=open-sesame', '-v', '--page', '2'],
      headers: ['-H', 'Authorization: Bearer open-sesame'],
    }
    const policies = { tool_policy: { get_token: 'ask' } }
    await write(
      at('loom.mjs'),
      `export default { kind: 'extension', name: 'loom', configSchema: { type: 'object' } }`,
    )
    const settings = { loom: own }
    await write(at('braidwork.json'), { plugins: ['./loom.mjs'], settings, ...policies })
    const options = ['--config', 'braidwork.json']
    const shown = await run(['config', 'show', ...options])
    const explained = await run(['config', 'show', '--explain', ...options])
    expect(shown.out + explained.out).not.to.include('sesame')
    const secret = { $secret: true }
    expect(JSON.parse(shown.out)).to.deep.include({
      ...policies,
      settings: {
        loom: {
          base_url: 'http://***@127.0.0.1:1/v1?key=***&page=2#top',
          body: { api_key: secret, apiKey: secret, keyboard: 'qwerty' },
          args: ['x.js', '--token', '***', '--api-key=***', '-v', '--page', '2'],
          headers: ['-H', 'Authorization: ***'],
        },
      },
    })
  })

  it('show the server too, without its secrets', async () => {
    const tokens = [{ token: 'ada-0123456789abcdef', id: 'ada' }]
    const server = { tokens, limits: { runs: 5 }, store: 'postgres://ada:open-sesame@h/b' }
    await write(at('braidwork.json'), { server })
    const options = ['--config', 'braidwork.json']
    const shown = await run(['config', 'show', ...options])
    const explained = await run(['config', 'show', '--explain', ...options])
    expect(shown.out + explained.out + shown.err + explained.err).not.to.match(/sesame|0123/)
    const secret = { $secret: true }
    expect(JSON.parse(shown.out)).to.deep.equal({
      server: { tokens: [{ token: secret, id: 'ada' }], limits: { runs: 5 }, store: secret },
    })
    expect(explained.out).to.match(/\/server\/limits\/runs +5 +file/)
    expect(explained.out).to.match(/\/server\/store +\*\*\* +file/)
  })

  it('show the agents and models too, without their secrets', async () => {
    const settings = { 'openai-compatible': { api_key: 'sk-0123456789abcdef' } }
    const agents = {
      near: { model_id: 'fast', config: { settings } },
      far: {
        endpoint: { backend: 'a2a', base_url: 'https://a.example', auth: { token: 't0k-9' } },
      },
      odd: { config: 5 },
    }
    const models = { fast: { provider_id: 'scripted' } }
    await write(at('braidwork.json'), { provider: 'scripted', agents, models })
    const options = ['--config', 'braidwork.json']
    const { out } = await run(['config', 'show', ...options])
    expect(out).not.to.include('sk-0123456789abcdef').and.not.to.include('t0k-9')
    const shown = JSON.parse(out) as { agents: typeof agents; models: unknown }
    expect(shown.models).to.deep.equal(models)
    expect(Object.keys(shown.agents)).to.deep.equal(['near', 'far', 'odd'])
    const { api_key: key } = shown.agents.near.config.settings['openai-compatible']
    expect(key).to.deep.equal({ $secret: true })
    const { out: rows } = await run(['config', 'show', '--explain', ...options])
    expect(rows).to.match(/^\/models\/fast\/provider_id +"scripted" +/m)
  })

  it('keep the parts of the server that a file does not change', async () => {
    const models = { a: { title: 'A', config: { model: 'x', temperature: 1 } }, b: {} }
    const base = { hosts: ['one'], limits: { runs: 5, files: 9 }, models }
    await write(at('base.json'), { server: base })
    const changed = { a: { config: { temperature: 0 } }, c: {} }
    const server = { hosts: ['two'], limits: { runs: 6 }, models: changed }
    await write(at('braidwork.json'), { extends: './base.json', server })
    const { out } = await run(['config', 'show', '--config', 'braidwork.json'])
    expect((JSON.parse(out) as { server: object }).server).to.deep.equal({
      hosts: ['two'],
      limits: { runs: 6, files: 9 },
      models: { a: { title: 'A', config: { model: 'x', temperature: 0 } }, b: {}, c: {} },
    })
  })

  it('are checked for models of tokens that are not published', async () => {
    const token = (name: string, ...models: string[]) => ({
      token: `${name}-0123456789abcdef`,
      id: name,
      models,
    })
    const tokens = [token('ada', 'a', 'a-plain'), token('bob', 'a', 'other')]
    await write(at('braidwork.json'), { provider, server: { models: { a: {} }, tokens } })
    const { status, out, err } = await run(['config', 'check', '--config', 'braidwork.json'])
    expect([status, out]).to.deep.equal([2, '1 error, 0 warnings\n'])
    expect(err).to.match(
      /MODEL_UNPUBLISHED: The token of "bob" names the model "other".*\(.*:1:\d+\)/,
    )
    const eve = [token('eve', 'scripted-1', 'nope')]
    await write(at('braidwork.json'), { provider, server: { tokens: eve } })
    const own = await run(['config', 'check', '--config', 'braidwork.json'])
    expect([own.status, own.out]).to.deep.equal([2, '1 error, 0 warnings\n'])
    expect(own.err).to.include('"nope"').and.not.include('0123')
  })

  it('are checked for settings of callers that nobody but the operator changes', async () => {
    const settings = { ...FAST, loom: { base_url: 'http://127.0.0.1:1' } }
    const server = {
      settable: ['/settings/loom/base_url', '/settings/loom', '/settings/loom/key'],
      storable: ['/settings/loom/base_url'],
    }
    await write(
      at('loom.mjs'),
      `export default { kind: 'extension', name: 'loom', configSchema: { type: 'object', properties: {
      key: { type: 'string', writeOnly: true }, base_url: { type: 'string', 'x-destination': true } } } }`,
    )
    await write(at('braidwork.json'), { plugins: ['./loom.mjs'], settings, server })
    const { out, err } = await run(['config', 'check', '--config', 'braidwork.json'])
    expect(out).to.equal('0 errors, 3 warnings\n')
    expect(err).to.include('"server.settable" does nothing here: "/settings/loom/key" is a secret')
    expect(err).to.include(
      '"server.storable" does nothing here: "/settings/loom/base_url" decides where secrets are sent',
    )
  })

  it('are checked for agents that nobody declares', async () => {
    const tokens = [{ token: 'ada-0123456789abcdef', id: 'ada', models: ['helper', 'nope'] }]
    const server = { agents: ['helper', 'helpr'], tokens }
    await write(at('braidwork.json'), { provider, agents: { helper: {} }, server })
    const { status, out, err } = await run(['config', 'check', '--config', 'braidwork.json'])
    expect(err).to.match(
      /"server.agents" names the agent "helpr".*Did you mean "helper"\?.*:1:\d+\)/,
    )
    expect(err).to.match(/MODEL_UNPUBLISHED: .*the model "nope"/)
    expect([status, out]).to.deep.equal([2, '2 errors, 0 warnings\n'])
  })

  it('are checked for tools that offer nothing', async () => {
    const idle = "export default { kind: 'tool', name: 'idle', defaultEnabled: false }"
    await write(at('idle.mjs'), idle)
    const models = { a: { config: { enabled_plugins: { add: ['idle'] } } } }
    await write(at('braidwork.json'), { plugins: ['./idle.mjs'], server: { models } })
    const { status, out, err } = await run(['config', 'check', '--config', 'braidwork.json'])
    expect(err).to.include('TOOLS_MISSING: Tool "idle" is on, but offers no tool')
    expect([status, out]).to.deep.equal([0, '0 errors, 1 warning\n'])
  })

  it('are checked with line and column', async () => {
    await write(
      at('braidwork.json'),
      '{\n  "temprature": 1,\n  "settings": {\n    "scripted": { "delay_ms": "soon" },\n    "gone": {}\n  }\n}',
    )
    const { status, out, err } = await run(['config', 'check', '--config', 'braidwork.json'])
    expect(status).to.equal(2)
    expect(out).to.equal('1 error, 2 warnings\n')
    expect(err).to.match(
      /CONFIG_KEY_UNKNOWN.*Did you mean "temperature"\? \(.*braidwork\.json:2:3\)/,
    )
    expect(err).to.match(/SETTINGS_INVALID.*\/settings\/scripted\/delay_ms.*braidwork\.json:4:19\)/)
    expect(err).to.match(/SETTINGS_UNUSED.*"gone".*braidwork\.json:5:5\)/)
  })

  it('have a JSON Schema for editors, with the plugins at hand', async () => {
    await write(at('braidwork.json'), {})
    const { out } = await run(['config', 'schema'])
    const schema = JSON.parse(out) as object
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
    expect(
      validate({ $schema: 'x', extends: './a.json', provider: 'scripted', settings: FAST }),
    ).to.equal(true)
    expect(validate({ settings: { scripted: { delay_ms: 'soon' } } })).to.equal(false)
    expect(validate({ seed: 'x' })).to.equal(false)
    expect(out).to.include('"calculator"')
    const model = { provider_id: 'scripted', upstream_model: 'scripted-1' }
    const models = { a: model, b: { candidates: ['a', model] }, c: ['a', { ...model, id: 'd' }] }
    const agents = { helper: { model_id: 'a', team: { members: ['x'] }, config: { seed: 1 } } }
    expect(validate({ models, agents }), JSON.stringify(validate.errors)).to.equal(true)
    for (const wrong of [
      { agents: { helper: { modelid: 'a' } } },
      { agents: { helper: { config: { settings: { scripted: { delay_ms: 'soon' } } } } } },
      { models: { a: { ...model, context_window: 'large' } } },
      { models: { a: { provider_id: 'scripted' } } },
      { models: { a: ['b', { upstream_model: 'x' }] } },
      { models: { a: { candidates: [] } } },
      { temprature: 1 },
    ])
      expect(validate(wrong), JSON.stringify(wrong)).to.equal(false)
  })

  it('have a description of each key in that schema, out of the guides', async () => {
    interface Keys {
      readonly description?: string
      readonly properties?: { readonly [key: string]: Keys }
    }
    const whole = JSON.parse((await run(['config', 'schema'])).out) as Keys
    const { limits, server } = whole.properties ?? {}
    for (const keys of [whole, limits, server, server?.properties?.['limits']]) {
      const all = Object.entries(keys?.properties ?? {})
      expect(all).not.to.deep.equal([])
      for (const [key, { description }] of all) {
        expect(description, key).to.match(/^[A-Z`].*\.$/)
        expect(description, key).not.to.include('](')
      }
    }
    expect(limits?.properties?.['process_chunk']?.description).to.equal(
      "A plugin's hook for each chunk. Default: 5.",
    )
    expect(server?.properties?.['limits']?.properties?.['body']?.description).to.equal(
      'The bytes of the body of one request. Default: 10 MiB.',
    )
  })

  describe('by init', () => {
    it('are written once, trusted, and answer', async () => {
      const { status, out } = await runAlone(['init'])
      expect(status).to.equal(0)
      expect(out).to.include(at('braidwork.jsonc'))
      const check = await runAlone(['config', 'check'])
      expect([check.status, check.out, check.err]).to.deep.equal([0, '0 errors, 0 warnings\n', ''])
      const { out: answer } = await runAlone([
        'chat',
        'My name is Ada.',
        '--set',
        'settings.scripted.delay_ms=0',
      ])
      expect(answer).to.equal('Noted. Your name is Ada.\n')
      const again = await runAlone(['init'])
      expect(again.status).to.equal(2)
      expect(again.err).to.include('already has a config file')
    })

    it('keep the provider and the plugins of the own config, and say so', async () => {
      const own = join(folder, 'xdg', 'braidwork')
      await mkdir(own, { recursive: true })
      await write(join(own, 'mark.mjs'), "export default { kind: 'extension', name: 'mark' }")
      await write(join(own, 'braidwork.json'), { extends: 'base.json', plugins: ['./mark.mjs'] })
      await write(join(own, 'base.json'), { provider: 'own', model: 'big' })
      const before = await run(['config', 'show'])
      const { status, out } = await run(['init'])
      expect(status).to.equal(0)
      expect(out).to.include('"provider", "plugins"').and.include(join(own, 'braidwork.json'))
      const { out: after } = await run(['config', 'show'])
      expect(JSON.parse(after)).to.deep.include(JSON.parse(before.out) as object)
    })

    it('set what the own config does not', async () => {
      await mkdir(join(folder, 'xdg', 'braidwork'), { recursive: true })
      await write(join(folder, 'xdg', 'braidwork', 'braidwork.json'), { plugins: [] })
      const { out } = await run(['init'])
      expect(out).to.include('"plugins"').and.not.include('"provider"')
      expect(JSON.parse((await run(['config', 'show'])).out)).to.include({ provider: 'scripted' })
    })

    it('name the provider that there is a key for, where it is found', async () => {
      await run(['init'], { env: { OPENAI_API_KEY: 'sk-sesame' } })
      const text = await readFile(at('braidwork.jsonc'), 'utf8')
      expect(text).to.include('"provider": "scripted"').and.not.include('sesame')
    })
  })
})
