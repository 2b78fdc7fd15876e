import {
  link,
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
import { dirname, join, sep } from 'node:path'
import { expect } from 'chai'
import type { ActionContext, Config, ToolOutput } from '../../src/plugin/index.ts'
import files from '../../tools/files/index.ts'
import { isMeant } from '../../tools/files/patterns.ts'

describe('files, which it keeps from a model', () => {
  let root: string
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'files-')))
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  async function call(
    name: string,
    input: object,
    settings: object = {},
    deciding: readonly string[] = [],
  ): Promise<ToolOutput> {
    const config: Config = { settings: { files: { root, write: true, ...settings } } }
    const { signal } = new AbortController()
    const context = { signal, protectedFiles: () => deciding } as unknown as ActionContext
    const state = files.init(config)
    return (await files.executeTool({ callId: 'c', name, input }, state, context)) as ToolOutput
  }

  async function put(path: string, content = 'sesame'): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }

  const SECRET = [
    '.env',
    'a/.ENV',
    '.env.local',
    'prod.env',
    '.env~',
    '.env.bak',
    '.env.swp',
    '..env.swp',
    '.envrc',
    'deep/er/id_rsa',
    'ID_Ed25519',
    'id_rsa.old',
    'server.PEM',
    'tls/server.key',
    'server.key.bak.1',
    '.npmrc',
    '.netrc',
    '.git-credentials',
    '.git/config',
    '.ssh/config',
    '.AWS/credentials',
    '.aws/sso/cache/x.json',
    'gcloud/access_tokens.db',
    '.bash_history',
    'client_secret_1.json',
    '.env-prod',
    '.cargo/credentials.toml',
    '.config/gh/hosts.yml',
    '.m2/settings.xml',
    '.git/modules/x/config',
    '.GIT/worktrees/x/config.worktree.bak',
    '.en\u200bv',
    'ｉd_rsa',
    'app/Braidwork.json',
    'braidwork.jsonc.bak',
  ]
  for (const path of SECRET) {
    it(`does not read, find, edit or write ${JSON.stringify(path)}`, async () => {
      await put(path)
      const shown = await call('read_file', { path })
      expect(shown.isError).to.equal(true)
      expect(shown.output).to.include('may contain keys or passwords').and.include('allow_read')
      const { output } = await call('search_files', { query: 'sesame' })
      expect(output).to.deep.equal({ matches: [], unreadable: [path] })
      for (const [name, input] of WRITES(path)) {
        expect((await call(name, input)).isError, name).to.equal(true)
      }
      expect(await readFile(join(root, path), 'utf8')).to.equal('sesame')
    })
  }

  const WRITES = (path: string): [name: string, input: object][] => [
    ['write_file', { path, content: 'x' }],
    ['edit_file', { path, old_text: 'sesame', new_text: 'x' }],
  ]

  const OBEYED = [
    'braidwork.json',
    'deep/Braidwork.JSONC',
    'package.json',
    'PACKAGE.json',
    './package.json',
    'a//package.json',
    'package-lock.json',
    'pyproject.toml',
    'requirements-dev.txt',
    '.mocharc.yml',
    '.git',
    '.git/hooks/pre-commit',
    '.gitmodules',
    'sub/.GIT/config',
    '.g\u200cit/config',
    '.bashrc',
    '.vscode/tasks.json',
    '.github/workflows/ci.yml',
    'node_modules/x/index.js',
    'eslint.config.mjs',
    'conftest.py',
    'evil.pth',
    'Makefile',
    'bare/HEAD',
    '__pycache__/x.py',
    'package.json.',
    'AGENTS.md',
    'sub/agents.md',
    'CLAUDE.md',
    'CLAUDE.local.md',
    'skills/x/SKILL.md',
    'binding.gyp',
  ]
  for (const path of OBEYED) {
    it(`does not make or write ${JSON.stringify(path)}`, async () => {
      for (const [name, input] of WRITES(path)) {
        const { output, isError } = await call(name, input)
        expect(isError, name).to.equal(true)
        expect(output).to.include('programs obey or execute').and.include('allow_write')
      }
      expect(await readdir(root)).to.deep.equal([])
    })
  }

  it('reads and writes all else', async () => {
    const plain = [
      'a.txt',
      'environment.md',
      'keys.md',
      'src/core/index.ts',
      'config.json',
      'config',
      'ansible/hosts.yml',
      'maven/settings.xml',
      'id_rsa.pub',
    ]
    for (const path of plain) {
      expect((await call('write_file', { path, content: 'one' })).isError, path).to.equal(undefined)
      expect((await call('read_file', { path })).output, path).to.include({ text: 'one' })
    }
    await put('.gitignore')
    expect((await call('read_file', { path: '.gitignore' })).output).to.include({ text: 'sesame' })
  })

  it('does what its settings allow, and keeps what they protect', async () => {
    await put('.env.example')
    await put('.env')
    const settings = {
      allow_read: ['.env.example'],
      allow_write: ['/app/package.json', '.env.ex*'],
      protect: ['**/private/**', '*.secret.md'],
    }
    const does = async (name: string, input: object) =>
      (await call(name, input, settings)).isError !== true
    expect(await does('read_file', { path: '.env.example' })).to.equal(true)
    expect(await does('read_file', { path: '.env' })).to.equal(false)
    expect(await does('write_file', { path: 'app/package.json', content: '{}' })).to.equal(true)
    expect(await does('write_file', { path: 'package.json', content: '{}' })).to.equal(false)
    expect(await does('write_file', { path: '.env.example', content: '' })).to.equal(true)
    expect(await does('write_file', { path: 'x/private/a.md', content: '' })).to.equal(false)
    await put('a.secret.md')
    expect(await does('read_file', { path: 'a.secret.md' })).to.equal(false)
  })

  it('does not write what the host runs by, whatever its name and its case', async () => {
    await put('Plugins/mark.mjs')
    await put('base.json')
    const deciding = ['plugins/mark.mjs', 'base.json', 'gone.json'].map((path) => join(root, path))
    for (const path of ['Plugins/mark.mjs', 'base.json', 'gone.json']) {
      for (const [name, input] of WRITES(path)) {
        expect((await call(name, input, {}, deciding)).isError, `${name} ${path}`).to.equal(true)
      }
    }
    const allowed = { allow_write: ['base.json'] }
    expect(
      (await call('edit_file', WRITES('base.json')[1]?.[1] ?? {}, allowed, deciding)).isError,
    ).to.equal(undefined)
    expect(await readFile(join(root, 'Plugins/mark.mjs'), 'utf8')).to.equal('sesame')
  })

  it('writes and reads no file of a folder that the host obeys', async () => {
    await put('app/agents/known.md')
    const deciding = [`${join(root, 'app', 'agents')}${sep}`]
    for (const path of ['app/agents/known.md', 'app/agents/new.json', 'app/AGENTS/deep/new.md']) {
      for (const [name, input] of [...WRITES(path), ['read_file', { path }] as const]) {
        expect((await call(name, input, {}, deciding)).isError, `${name} ${path}`).to.equal(true)
      }
    }
    const [, input] = WRITES('agents/other.md')[0] ?? []
    expect((await call('write_file', input ?? {}, {}, deciding)).isError).to.equal(undefined)
    const allowed = { allow_read: ['app/agents/*'], allow_write: ['app/agents/*'] }
    for (const [name, given] of WRITES('app/agents/known.md').toReversed())
      expect((await call(name, given, allowed, deciding)).isError, name).to.equal(undefined)
    const path = 'app/agents/known.md'
    expect((await call('read_file', { path }, allowed, deciding)).output).to.include({ text: 'x' })
  })

  it('follows no link to it, and a hard link is written beside it', async function () {
    if (process.platform === 'win32') this.skip()
    await put('.env')
    await put('.git/hooks/pre-commit')
    await symlink(join(root, '.env'), join(root, 'notes.txt'))
    await symlink(join(root, '.git'), join(root, 'docs'))
    await link(join(root, '.env'), join(root, 'hard.txt'))
    expect((await call('read_file', { path: 'notes.txt' })).isError).to.equal(true)
    expect(
      (await call('write_file', { path: 'docs/hooks/pre-commit', content: 'x' })).isError,
    ).to.equal(true)
    expect((await call('write_file', { path: 'hard.txt', content: 'x' })).isError).to.equal(
      undefined,
    )
    expect(await readFile(join(root, '.env'), 'utf8')).to.equal('sesame')
    expect(await readFile(join(root, '.git/hooks/pre-commit'), 'utf8')).to.equal('sesame')
  })

  it('takes a pattern by names: one without "/" in any folder', () => {
    const meant = (path: string, pattern: string) => isMeant(path.split('/'), pattern)
    expect(meant('a/b/c.txt', '*.TXT')).to.equal(true)
    expect(meant('a/b/c.txt', '/c.txt')).to.equal(false)
    expect(meant('a/b/c.txt', 'a/*/c.txt')).to.equal(true)
    expect(meant('a/b/c.txt', 'a/*')).to.equal(false)
    expect(meant('a/b/c.txt', 'a/**')).to.equal(true)
    expect(meant('a/b/c.txt', '**/b/**/c.???')).to.equal(true)
    expect(meant('abc', 'a*b*d')).to.equal(false)
    expect(meant('x'.repeat(500), `${'*x'.repeat(200)}y`)).to.equal(false)
  })
})
