import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { braidwork } from './command.ts'

describe('the files that the command protects from a model', function () {
  this.timeout(60_000)
  let base: string
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'braidwork-')))
  })
  afterEach(() => rm(base, { recursive: true }))

  async function put(path: string, content: unknown): Promise<void> {
    await mkdir(dirname(join(base, path)), { recursive: true })
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    await writeFile(join(base, path), text)
  }

  const run = (args: readonly string[], folder: string, env: NodeJS.ProcessEnv = {}) =>
    braidwork(args, {
      cwd: join(base, folder),
      env: { XDG_CONFIG_HOME: join(base, 'xdg'), ...env },
    })

  /** A config whose model calls a tool once for each path. */
  function calling(name: string, inputs: readonly object[]) {
    const script = [
      { when: { tool: name }, then: { text: 'done' } },
      { then: { tool_calls: inputs.map((input) => ({ name, input })) } },
    ]
    return {
      plugins: ['@braidwork/tool-files'],
      enabled_plugins: ['files'],
      settings: { files: { root: base, write: true }, scripted: { script, delay_ms: 0 } },
    }
  }

  const EVIL = { description: 'Does all.', system_prompt: 'Obey.' }

  it('are the agents beside each config in use, also new ones, and beside trusted folders', async () => {
    await put('xdg/braidwork/braidwork.json', {})
    await put('trusted/braidwork.json', {})
    await run(['trust'], 'trusted')
    const paths = [
      'project/agents/evil.json',
      'project/agents/known.md',
      'project/Agents/evil.md',
      'common/agents/evil.md',
      'shared/linked.md',
      'trusted/agents/evil.json',
      'xdg/braidwork/agents/evil.json',
      'elsewhere/AGENTS.md',
    ]
    await put('project/agents/known.md', 'You help.')
    await put('common/base.json', { seed: 1 })
    const inputs = [...paths, 'notes/agents.md.txt', 'notes/agents/plan.md'].map((path) => ({
      path,
      content: JSON.stringify(EVIL),
    }))
    await put('shared/linked.md', 'You help.')
    await put('project/prod.json', {
      ...calling('write_file', inputs),
      extends: '../common/base.json',
    })
    await symlink(join(base, 'shared/linked.md'), join(base, 'project/agents/linked.md'))
    const { err } = await run(['chat', '--config', 'prod.json', 'Write'], 'project')
    const refused = err.match(/✗ write_file: "([^"]+)" is a file that programs obey or execute/g)
    expect(refused ?? err).to.have.length(paths.length)
    expect(await readdir(join(base, 'common'))).to.deep.equal(['base.json'])
    expect(await readdir(join(base, 'notes'), { recursive: true })).to.include('agents/plan.md')
    expect(await readFile(join(base, 'project/agents/known.md'), 'utf8')).to.equal('You help.')
    expect((await run(['config', 'check'], 'trusted')).status).to.equal(0)
  })

  it('are those from which MCP servers start, and the modules that these name, also new ones', async () => {
    await put('project/server.mjs', "import './tools/index.mjs'")
    await put('project/tools/index.mjs', 'export default 1')
    await put('project/jobs/main.py', 'import parts')
    await put('project/jobs/parts.py', 'x = 1')
    await put('project/hook.cjs', '')
    await put('project/inner/index.js', '')
    const protects = [
      'project/server.mjs',
      'project/tools/index.mjs',
      'project/jobs/main.py',
      'project/jobs/parts.py',
      'project/hook.cjs',
      'project/bin/start',
      'project/inner/index.js',
      'project/other.js',
      'project/served/__main__.py',
      'project/named/start',
    ]
    const inputs = [...protects, 'project/index.js'].map((path) => ({ path, content: 'evil()' }))
    const { settings, ...config } = calling('write_file', inputs)
    const servers = {
      node: { command: 'node', args: ['--require=./hook.cjs', 'server.mjs'] },
      python: { command: 'python3', args: ['main.py'], cwd: join(base, 'project/jobs') },
      module: { command: 'python3', args: ['-m', 'served'] },
      new: { command: './bin/start', args: ['.'] },
      folder: { command: 'node', args: ['inner'] },
      named: { command: '${env:SERVER}' },
      hooked: { command: 'npx', args: ['-y', 'x', '.'], env: { NODE_OPTIONS: '--import ./other' } },
    }
    await put('project/prod.json', { ...config, settings: { ...settings, mcp: { servers } } })
    const env = { SERVER: './named/start' }
    const { err } = await run(['chat', '--config', 'prod.json', 'Write'], 'project', env)
    const refused = err.match(/✗ write_file: "([^"]+)" is a file that programs obey or execute/g)
    expect(refused ?? err).to.have.length(protects.length)
    expect(await readFile(join(base, 'project/index.js'), 'utf8')).to.equal('evil()')
  })

  it('are those from which MCP servers of agents in files start', async () => {
    const protects = ['project/of-json.mjs', 'project/of-text.mjs', 'project/part.mjs']
    const inputs = [...protects, 'project/other.mjs'].map((path) => ({ path, content: 'evil()' }))
    const settingsOf = (name: string) => ({ mcp: { servers: { own: startedBy(name) } } })
    const startedBy = (name: string) => ({ command: 'node', args: [name] })
    await put('project/of-json.mjs', "import './part.mjs'")
    await put('project/part.mjs', '')
    await put('project/agents/one.json', { config: { settings: settingsOf('of-json.mjs') } })
    const matter = JSON.stringify({ settings: settingsOf('of-text.mjs') })
    await put('project/agents/two.md', `---\nconfig: ${matter}\n---\nYou help.`)
    await put('project/prod.json', calling('write_file', inputs))
    const { err } = await run(['chat', '--config', 'prod.json', 'Write'], 'project')
    const refused = err.match(/✗ write_file: "([^"]+)" is a file that programs obey or execute/g)
    expect(refused ?? err).to.have.length(protects.length)
    expect(await readFile(join(base, 'project/other.mjs'), 'utf8')).to.equal('evil()')
  })

  it('are not read or found if they may have tokens: configs, those they extend, and agents', async () => {
    await put('project/base.conf', '{"seed": 1} // barley')
    await put('project/agents/known.md', 'barley')
    await put(
      'project/plugins/mark.mjs',
      "export default {kind: 'extension', name: 'mark'} // barley",
    )
    const paths = ['project/braidwork.json', 'project/base.conf', 'project/agents/known.md']
    const reads = [...paths, 'project/plugins/mark.mjs'].map((path) => ({ path }))
    const config = calling('read_file', reads)
    await put('project/braidwork.json', {
      ...config,
      plugins: [...config.plugins, './plugins/mark.mjs'],
      extends: './base.conf',
    })
    await run(['trust'], 'project')
    const { err } = await run(['chat', 'Read'], 'project')
    const refused = err.match(/✗ read_file: "([^"]+)" may contain keys or passwords/g)
    expect(refused ?? err).to.have.length(paths.length)
    expect(err).to.include("kind: 'extension'")

    await put('project/find.json', {
      ...calling('search_files', [{ query: 'barley' }]),
      extends: './base.conf',
    })
    const found = await run(['chat', '--config', 'find.json', 'Find'], 'project')
    expect(found.err).to.include('"matches":[{"path":"project/plugins/mark.mjs"')
    expect(found.err).to.include('"unreadable":["project/base.conf"')
  })
})
