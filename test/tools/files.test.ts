import { execFileSync } from 'node:child_process'
import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { run } from '../../src/agent/index.ts'
import type { ActionContext, Config, ToolOutput } from '../../src/plugin/index.ts'
import { inPaths, type OpenFolder } from '../../tools/files/folder.ts'
import files from '../../tools/files/index.ts'
import { readSettings } from '../../tools/files/settings.ts'
import { propertyRuns, runsOf } from '../helpers/cases.ts'
import { scriptedHost } from '../helpers/hosts.ts'
import { errorOf } from '../helpers/plugins.ts'

const IS_POSIX = process.platform !== 'win32'

describe('files', () => {
  let root: string
  let outside: string
  beforeEach(async () => {
    const base = await mkdtemp(join(tmpdir(), 'files-'))
    root = join(base, 'root')
    outside = join(base, 'outside')
    await mkdir(join(root, 'notes'), { recursive: true })
    await mkdir(outside)
    await writeFile(join(outside, 'secret.txt'), 'secret')
    await writeFile(join(root, 'a.txt'), 'one\ntwo\nthree\n')
    await writeFile(join(root, 'notes', 'b.md'), '# Two\nTwo is more.\n')
  })
  afterEach(() => rm(join(root, '..'), { recursive: true, force: true }))

  function configOf(settings: object = {}): Config {
    return { enabled_plugins: ['files'], settings: { files: { root, write: true, ...settings } } }
  }

  async function call(
    name: string,
    input: object,
    settings: object = {},
    signal = new AbortController().signal,
  ) {
    const state = files.init(configOf(settings))
    const context = { signal } as ActionContext
    return (await files.executeTool({ callId: 'c', name, input }, state, context)) as ToolOutput
  }

  async function refusal(name: string, input: object, settings: object = {}): Promise<string> {
    const { output, isError } = await call(name, input, settings)
    expect(isError, JSON.stringify(output)).to.equal(true)
    return String(output)
  }

  describe('list_files', () => {
    it('lists a folder, or all that is below it', async () => {
      expect((await call('list_files', {})).output).to.deep.equal({
        entries: [
          { path: 'a.txt', type: 'file', bytes: 14 },
          { path: 'notes', type: 'folder' },
        ],
      })
      expect((await call('list_files', { path: './notes/' })).output).to.deep.equal({
        entries: [{ path: 'notes/b.md', type: 'file', bytes: 19 }],
      })
      const { output } = await call('list_files', { recursive: true })
      expect((output as { entries: object[] }).entries).to.have.length(3)
    })

    it('shows as many as its limit, and says so', async () => {
      const { output } = await call('list_files', { recursive: true }, { max_entries: 1 })
      expect(output).to.have.property('note').that.includes('first 1')
    })

    it('tells links and does not follow them, in circles neither', async () => {
      await symlink(root, join(root, 'notes', 'up'))
      const { output } = await call('list_files', { recursive: true })
      expect((output as { entries: object[] }).entries).to.deep.include({
        path: 'notes/up',
        type: 'link',
      })
    })
  })

  describe('read_file', () => {
    it('shows a file, or some lines of it', async () => {
      expect((await call('read_file', { path: 'a.txt' })).output).to.deep.equal({
        path: 'a.txt',
        from_line: 1,
        to_line: 3,
        text: 'one\ntwo\nthree\n',
      })
      expect(
        (await call('read_file', { path: 'a.txt', from_line: 2, to_line: 2 })).output,
      ).to.include({
        from_line: 2,
        to_line: 2,
        text: 'two\n',
      })
      expect((await call('read_file', { path: 'a.txt', from_line: 9 })).output).to.include({
        text: '',
      })
      expect(await refusal('read_file', { path: 'a.txt', from_line: 3, to_line: 2 })).to.include(
        'before',
      )
    })

    it('shows as much as its limit, and how to go on', async () => {
      const { output } = await call('read_file', { path: 'a.txt' }, { max_bytes: 6 })
      expect(output).to.include({
        text: 'one\ntw',
        note: 'Only a part is shown; continue with "from_line": 2.',
      })
    })

    it('says that a file is binary, and does not show it', async () => {
      await writeFile(join(root, 'c.png'), Buffer.from([0x89, 0x50, 0, 1]))
      expect((await call('read_file', { path: 'c.png' })).output).to.deep.equal({
        path: 'c.png',
        bytes: 4,
        is_binary: true,
      })
    })

    it('says what is not there, and what is a folder', async () => {
      expect(await refusal('read_file', { path: 'none.txt' })).to.equal(
        '"none.txt" does not exist; "list_files" lists existing files.',
      )
      expect(await refusal('read_file', { path: 'none/x' })).to.include('"none" does not exist')
      expect(await refusal('read_file', { path: 'notes' })).to.include('is a folder')
      expect(await refusal('read_file', { path: 'a.txt/x' })).to.include('"a.txt" is not a folder')
      expect(await refusal('read_file', { path: './' })).to.include('Give the path of a file')
    })

    it('does not hang on pipes and devices', async function () {
      if (!IS_POSIX) this.skip()
      execFileSync('mkfifo', [join(root, 'pipe')])
      expect(await refusal('read_file', { path: 'pipe' })).to.include('not a regular file')
      expect(await refusal('write_file', { path: 'pipe', content: 'a' })).to.include(
        'not a regular file',
      )
      expect((await call('search_files', { query: 'two' })).isError).to.equal(undefined)
      const devices = await refusal('read_file', { path: 'zero' }, { root: '/dev' })
      expect(devices).to.include('not a regular file')
    })
  })

  describe('there is no way out', () => {
    const ways = [
      '../outside/secret.txt',
      'notes/../../outside/secret.txt',
      '/etc/passwd',
      'C:\\x',
      '\\\\x\\y',
      'a\0b',
    ]
    for (const path of ways) {
      it(`by ${JSON.stringify(path)}`, async () => {
        for (const name of ['read_file', 'write_file', 'edit_file', 'list_files', 'search_files']) {
          const input = { path, content: 'x', old_text: 's', new_text: 'x', query: 's' }
          expect(await refusal(name, input)).to.match(/absolute|"\.\."|NUL/)
        }
      })
    }

    it('by links to files and folders, further up the path too', async () => {
      await symlink(join(outside, 'secret.txt'), join(root, 'link.txt'))
      await symlink(outside, join(root, 'door'))
      for (const path of ['link.txt', 'door/secret.txt']) {
        expect(await refusal('read_file', { path })).to.include('link')
        expect(await refusal('edit_file', { path, old_text: 'secret', new_text: 'x' })).to.include(
          'link',
        )
      }
      expect(await refusal('list_files', { path: 'door' })).to.include('link')
      expect(await refusal('write_file', { path: 'door/new.txt', content: 'x' })).to.include('link')
      expect(await refusal('write_file', { path: 'link.txt', content: 'x' })).to.include(
        'not a regular file',
      )
      expect((await call('search_files', { query: 'secret' })).output).to.deep.equal({
        matches: [],
      })
      expect(await readdir(outside)).to.deep.equal(['secret.txt'])
      expect(await readFile(join(outside, 'secret.txt'), 'utf8')).to.equal('secret')
    })

    it('by a hard link that is written: the file gets a new place', async () => {
      await link(join(outside, 'secret.txt'), join(root, 'hard.txt'))
      await call('write_file', { path: 'hard.txt', content: 'x' })
      expect(await readFile(join(outside, 'secret.txt'), 'utf8')).to.equal('secret')
    })

    it('by any path that can be made up', async () => {
      const name = fc.constantFrom(
        '..',
        '.',
        '',
        'notes',
        'door',
        'b.md',
        'secret.txt',
        'outside',
        '%2e%2e',
        '…',
      )
      await symlink(outside, join(root, 'door'))
      await fc.assert(
        fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 5 }), async (names) => {
          const { output } = await call('read_file', { path: names.join('/') })
          expect(JSON.stringify(output)).to.not.include('"text":"secret"')
        }),
        { numRuns: propertyRuns(100) },
      )
    })

    it('by a folder that is swapped for a link while it is used', async function () {
      if (process.platform !== 'linux') this.skip()
      let isOver = false
      // A write may make the folder anew while it is away: then this round has no link.
      const attempt = (work: Promise<unknown>) => work.catch(() => undefined)
      const swap = async () => {
        while (!isOver) {
          await attempt(rename(join(root, 'notes'), join(root, 'away')))
          await attempt(symlink(outside, join(root, 'notes')))
          await new Promise(setImmediate)
          await attempt(rm(join(root, 'notes'), { recursive: true }))
          await attempt(rename(join(root, 'away'), join(root, 'notes')))
          await new Promise(setImmediate)
        }
      }
      const swapping = swap()
      const seen = new Set<string>()
      for (let round = 0; round < runsOf(300); round++) {
        const { output } = await call('read_file', { path: 'notes/secret.txt' })
        seen.add(JSON.stringify(output))
        await call('write_file', { path: 'notes/new.txt', content: 'x' })
      }
      isOver = true
      await swapping
      expect([...seen].join()).to.not.include('"text"')
      expect(await readdir(outside)).to.deep.equal(['secret.txt'])
    })
  })

  it('refuses links where the system has no paths through handles', async () => {
    const refused = async (names: readonly string[], work = async () => 'seen') =>
      (await errorOf(inPaths(undefined, { root, names, create: false }, work))).message
    await symlink(outside, join(root, 'door'))
    expect(await refused(['door'])).to.include('a link')
    expect(await refused(['none'])).to.include('does not exist')
    const swapped = await refused(['notes'], async () => {
      await rename(join(root, 'notes'), join(root, 'away'))
      await symlink(outside, join(root, 'notes'))
      return 'seen'
    })
    expect(swapped).to.include('moved or replaced')
    const work = async (folder: OpenFolder) => readdir(folder.path)
    expect(await inPaths(undefined, { root, names: ['away'], create: false }, work)).to.deep.equal([
      'b.md',
    ])
  })

  it('makes folders where the system has no paths through handles, if it may', async () => {
    const names = ['new', 'deep']
    const list = async (folder: OpenFolder) => readdir(folder.path)
    const way = { root, names }
    const error = await errorOf(inPaths(undefined, { ...way, create: false }, list))
    expect(error.message).to.include('"new" does not exist')
    for (const create of [true, true, false])
      expect(await inPaths(undefined, { ...way, create }, list)).to.deep.equal([])
    expect((await stat(join(root, 'new', 'deep'))).isDirectory()).to.equal(true)
  })

  describe('write_file and edit_file', () => {
    it('write, with the folders that are missing', async () => {
      const input = { path: 'new/deep/c.txt', content: 'ü' }
      expect((await call('write_file', input)).output).to.deep.equal({
        path: 'new/deep/c.txt',
        bytes: 2,
        created: true,
      })
      expect(await readFile(join(root, 'new', 'deep', 'c.txt'), 'utf8')).to.equal('ü')
      expect((await call('write_file', input)).output).to.include({ created: false })
      expect(await readdir(join(root, 'new', 'deep'))).to.deep.equal(['c.txt'])
    })

    it('replace a text that is there once, or everywhere', async () => {
      const edit = (input: object) => ({ path: 'a.txt', old_text: 't', new_text: '$&', ...input })
      expect(await refusal('edit_file', edit({}))).to.include('2 times')
      expect(await refusal('edit_file', edit({ old_text: 'four' }))).to.include('does not contain')
      expect((await call('edit_file', edit({ old_text: 'two', new_text: '2' }))).output).to.include(
        { replaced: 1 },
      )
      await call('edit_file', edit({ old_text: 'e', replace_all: true }))
      expect(await readFile(join(root, 'a.txt'), 'utf8')).to.equal('on$&\n2\nthr$&$&\n')
    })

    it('keep the rights of a file', async function () {
      if (!IS_POSIX) this.skip()
      await writeFile(join(root, 'run.sh'), 'a', { mode: 0o755 })
      await call('edit_file', { path: 'run.sh', old_text: 'a', new_text: 'b' })
      expect((await stat(join(root, 'run.sh'))).mode & 0o777).to.equal(0o755)
    })

    it('leave alone what is too large, no text, or a folder', async () => {
      await writeFile(join(root, 'c.bin'), Buffer.from([0xff, 0x61]))
      expect(
        await refusal('edit_file', { path: 'c.bin', old_text: 'a', new_text: 'b' }),
      ).to.include('not UTF-8 text')
      expect(
        await refusal('write_file', { path: 'x', content: 'long' }, { max_bytes: 3 }),
      ).to.include('4 bytes')
      expect(
        await refusal(
          'edit_file',
          { path: 'a.txt', old_text: 'a', new_text: 'b' },
          { max_bytes: 3 },
        ),
      ).to.include('larger')
      expect(await refusal('write_file', { path: 'notes', content: 'x' })).to.include(
        'not a regular file',
      )
      expect(await refusal('write_file', { path: 'a.txt/x', content: 'x' })).to.include('"a.txt"')
    })

    it('are neither offered nor run where they are not allowed', async () => {
      const names = (settings: object) =>
        files.getToolSchemas(files.init(configOf(settings))).map(({ name }) => name)
      expect(names({ write: false })).to.deep.equal(['list_files', 'read_file', 'search_files'])
      expect(names({})).to.include.members(['write_file', 'edit_file'])
      expect(await refusal('write_file', { path: 'x', content: 'x' }, { write: false })).to.include(
        'read-only',
      )
    })
  })

  describe('search_files', () => {
    it('finds lines of text files, in any case unless told', async () => {
      await writeFile(join(root, 'c.png'), Buffer.from('two\0'))
      expect((await call('search_files', { query: 'TWO' })).output).to.deep.equal({
        matches: [
          { path: 'a.txt', line: 2, text: 'two' },
          { path: 'notes/b.md', line: 1, text: '# Two' },
          { path: 'notes/b.md', line: 2, text: 'Two is more.' },
        ],
      })
      const { output } = await call('search_files', {
        query: 'two',
        path: 'notes',
        case_sensitive: true,
      })
      expect(output).to.deep.equal({ matches: [] })
      await writeFile(join(root, 'c.md'), 'Die Straße')
      expect((await call('search_files', { query: 'STRASSE' })).output).to.deep.equal({
        matches: [],
      })
    })

    it('finds its limit in a file of more matching lines than a call has arguments', async () => {
      await writeFile(join(root, 'many.txt'), 'z\n'.repeat(128 * 1024))
      const { output } = await call('search_files', { query: 'z' })
      expect(output).to.have.property('matches').with.length(100)
    })

    it('shows as many as its limit, and a part of a long line', async () => {
      await writeFile(join(root, 'long.txt'), `${'x'.repeat(10_000)}needle${'x'.repeat(10_000)}`)
      const { output } = await call('search_files', { query: 'needle' })
      expect(JSON.stringify(output)).to.have.length.below(400).and.include('needle')
      const few = (await call('search_files', { query: 'o' }, { max_matches: 1 })).output as {
        matches: object[]
      }
      expect(few.matches).to.have.length(1)
      expect(few).to.have.property('note')
    })
  })

  it('says which folders cannot be read', async function () {
    if (!IS_POSIX || process.getuid?.() === 0) {
      this.test!.title += ' (skipped: who runs this may read everything)'
      this.skip()
    }
    await mkdir(join(root, 'closed'), { mode: 0 })
    expect((await call('list_files', { recursive: true })).output).to.deep.include({
      unreadable: ['closed'],
    })
    expect(await refusal('list_files', { path: 'closed' })).to.include('permission denied')
  })

  it('says that its folder is not there', async () => {
    expect(await refusal('list_files', {}, { root: join(root, 'none') })).to.include(
      'settings.files.root',
    )
  })

  it('ends where the call is cancelled', async () => {
    const cancelled = AbortSignal.abort()
    for (const [name, input] of [
      ['list_files', {}],
      ['read_file', { path: 'a.txt' }],
      ['search_files', { query: 'two' }],
      ['write_file', { path: 'new.txt', content: 'x' }],
    ] as const) {
      expect(await errorOf(call(name, input, {}, cancelled)), name).to.have.property(
        'name',
        'AbortError',
      )
    }
    expect(await readdir(root)).to.have.members(['a.txt', 'notes'])
  })

  it('leaves no file open', async function () {
    if (process.platform !== 'linux') this.skip()
    const before = (await readdir('/proc/self/fd')).length
    for (let round = 0; round < 20; round++) {
      await call('list_files', { recursive: true })
      await call('read_file', { path: 'notes/none.md' })
      await call('read_file', { path: 'none/none.md' })
      await call('search_files', { query: 'two' }, { max_matches: 1 })
      await call('edit_file', { path: 'a.txt', old_text: 'none', new_text: 'x' })
    }
    expect((await readdir('/proc/self/fd')).length).to.be.at.most(before + 1)
  })

  it('is off until it is asked for, and offers nothing without a folder', async () => {
    const host = await scriptedHost([files])
    const toolsOf = async (config: Config) => (await host.resolve(config)).enabled.tools
    expect(await toolsOf({ settings: { files: { root } } })).to.deep.equal([])
    expect(await toolsOf({ enabled_plugins: ['files'] })).to.deep.equal(['files'])
    expect(await host.toolSchemas({ enabled_plugins: ['files'] })).to.deep.equal([])
    expect(await host.toolSchemas(configOf())).to.have.length.above(0)
    expect(await toolsOf(configOf())).to.deep.equal(['files'])
  })

  it('is run by the host, which checks the arguments first', async () => {
    const script = [
      { when: { step: 1 }, then: { tool_calls: [{ name: 'read_file', input: { path: 7 } }] } },
      {
        when: { step: 2 },
        then: { tool_calls: [{ name: 'read_file', input: { path: 'a.txt' } }] },
      },
      { then: { text: 'Read: {{result.read_file.text}}' } },
    ]
    const config = configOf()
    const host = await scriptedHost([files], {
      ...config,
      settings: { ...config.settings, scripted: { script } },
    })
    const { messages } = await run(host, { messages: 'Read it.' }).result
    expect(JSON.stringify(messages)).to.include('not valid at /path').and.include('Read: one\\ntwo')
  })

  it('refuses settings that are wrong', () => {
    for (const settings of [{ root: '' }, { write: 'yes' }, { max_bytes: 0 }]) {
      expect(() => readSettings(configOf(settings)))
        .to.throw()
        .with.property('code', 'SETTINGS_INVALID')
    }
  })
})
