import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import Database from 'libsql'
import { openStorage } from '../../src/store/index.ts'
import { braidwork, COMMAND } from './command.ts'
import { sharedCommand } from './shared-command.ts'

describe('braidwork store', () => {
  let folder: string
  const command = sharedCommand()

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'braidwork-store-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const store = (...args: string[]) => braidwork(['store', ...args], { cwd: folder })

  /** A config file that keeps everything in a file of its own. */
  function configOf(name: string): string {
    const file = join(folder, `${name}.json`)
    const server = {
      store: join(folder, `${name}.db`),
      tokens: [{ token: '${env:NOT_SET}', id: 'a' }],
    }
    writeFileSync(file, JSON.stringify({ server }))
    return file
  }

  async function fill(name: string): Promise<void> {
    const storage = await openStorage(join(folder, `${name}.db`))
    await storage.conversations.create({ id: 'talk', owner: 'o', agent: 'a', sender: 's' }, 1)
    await storage.settings.save('o', { temperature: 1 }, 1)
    await storage.close()
  }

  it('writes what is stored as lines, which another takes over once', async () => {
    await fill('one')
    const lines = join(folder, 'lines.jsonl')
    const exported = await store('export', lines, '--config', configOf('one'))
    expect(exported).to.deep.include({ status: 0, out: '', err: '' })
    expect(statSync(lines).mode & 0o777).to.equal(0o600)
    const types = readFileSync(lines, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type)
    expect(types).to.deep.equal(['export', 'conversation', 'settings', 'end'])
    const other = configOf('other')
    expect((await store('import', lines, '--config', other)).out).to.equal('2 records imported\n')
    expect((await store('import', lines, '--config', other)).out).to.equal('0 records imported\n')
    const storage = await openStorage(join(folder, 'other.db'))
    expect((await storage.conversations.load('o', 'talk'))?.agent).to.equal('a')
    await storage.close()
  })

  it('forgets a caller, after it has said what is stored, and asks nobody where nobody is', async () => {
    await fill('one')
    const config = configOf('one')
    const refused = await store('forget', 'o', '--config', config)
    const stored = 'stored of "o":\n  1 conversation\n  1 layer of settings\n'
    expect(refused).to.deep.include({ status: 2, out: stored })
    expect(refused.err).to.include('nothing was deleted').and.include('--yes')
    const done = await store('forget', 'o', '--yes', '--config', config)
    expect(done).to.deep.include({ status: 0, out: `${stored}deleted\n`, err: '' })
    const again = await store('forget', 'o', '--yes', '--config', config)
    expect(again).to.deep.include({ status: 2, out: '' })
    expect(again.err).to.include('Nothing is stored of "o".')
    const server = await store('forget', 'braidwork:server', '--yes', '--config', config)
    expect(server.err).to.include('"braidwork:server" is no caller')
  })

  it('leaves the earlier export as it is if the new one fails', async () => {
    await fill('one')
    const lines = join(folder, 'lines.jsonl')
    const config = configOf('one')
    expect((await store('export', lines, '--config', config)).status).to.equal(0)
    chmodSync(lines, 0o640)
    const link = join(folder, 'link.jsonl')
    symlinkSync(lines, link)
    const before = readFileSync(lines, 'utf8')
    expect((await store('export', link, '--config', config)).err).to.equal('')
    expect(readFileSync(lines, 'utf8')).to.equal(before)
    expect(statSync(lines).mode & 0o777).to.equal(0o640)
    expect(lstatSync(link).isSymbolicLink()).to.equal(true)
    const damaged = new Database(join(folder, 'one.db'))
    damaged.exec(`UPDATE settings SET layer = '{"cut'`)
    damaged.close()
    const { status, err } = await store('export', lines, '--config', config)
    expect(status).to.equal(1)
    expect(err).to.include('error ')
    expect(readFileSync(lines, 'utf8')).to.equal(before)
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).to.deep.equal([])
  })

  it('leaves the earlier export as it is if it is stopped or killed', async () => {
    const storage = await openStorage(join(folder, 'one.db'))
    const metadata = { text: 'x'.repeat(100_000) }
    for (let count = 0; count < 400; count++) {
      const talk = { id: `talk ${count}`, owner: 'o', agent: 'a', sender: 's', metadata }
      await storage.conversations.create(talk, 1)
    }
    await storage.close()
    const config = configOf('one')
    const lines = join(folder, 'lines.jsonl')
    writeFileSync(lines, 'earlier')
    const partials = () => readdirSync(folder).filter((name) => name.includes('.partial-'))
    for (const [signal, left] of [
      ['SIGTERM', 0],
      ['SIGINT', 0],
      ['SIGKILL', 1],
    ] as const) {
      const args = [COMMAND, 'store', 'export', lines, '--config', config]
      const child = spawn(process.execPath, args)
      const ended = once(child, 'close')
      while (partials().length === 0) await nextTurn()
      child.kill(signal)
      const [status] = (await ended) as [number | null]
      expect(status, signal).to.equal(signal === 'SIGKILL' ? null : 130)
      expect(readFileSync(lines, 'utf8'), signal).to.equal('earlier')
      expect(partials(), signal).to.have.length(left)
    }
  })

  it('takes standard output and input where no file is named', async () => {
    await fill('one')
    const { out } = await store('export', '--config', configOf('one'))
    const args = ['store', 'import', '--config', configOf('other')]
    const imported = await braidwork(args, { cwd: folder, input: out })
    expect(imported).to.deep.equal({ status: 0, out: '2 records imported\n', err: '' })
  })

  it('writes into a pipe, and does not replace it', async () => {
    await fill('one')
    const { out } = await store('export', '--config', configOf('one'))
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const [read, { status }] = await Promise.all([
      readFile(pipe, 'utf8'),
      store('export', pipe, '--config', configOf('one')),
    ])
    expect({ status, read }).to.deep.equal({ status: 0, read: out })
    expect(lstatSync(pipe).isFIFO()).to.equal(true)
  })

  it('imports nothing of an export that was cut, or lacks the head of a conversation', async () => {
    await fill('one')
    const { out } = await store('export', '--config', configOf('one'))
    const lines = out.trimEnd().split('\n')
    const talk = JSON.parse(lines[1] ?? '')
    talk.conversation.head = 'h'
    for (const [kept, reason] of [
      [lines.slice(0, -1), 'The export is not complete'],
      [lines.slice(0, 1), 'The export is not complete'],
      [lines.slice(1), 'The export is not complete'],
      [lines.filter((_, at) => at !== 1), 'The export is not complete'],
      [[JSON.stringify(talk)], 'The conversation "talk" has the head "h"'],
    ] as const) {
      const args = ['store', 'import', '--config', configOf('other')]
      const { status, err } = await braidwork(args, { cwd: folder, input: kept.join('\n') })
      expect(status).to.equal(1)
      expect(err).to.include(`error REQUEST_INVALID: ${reason}`)
      expect(existsSync(join(folder, 'other.db'))).to.equal(false)
    }
  })

  it('gives back the room of what was deleted', async () => {
    const path = join(folder, 'one.db')
    await fill('one')
    const old = new Database(path)
    old.exec('CREATE TABLE t (b BLOB)')
    const insert = old.prepare('INSERT INTO t (b) VALUES (?)')
    for (let count = 0; count < 36; count++) insert.run([Buffer.alloc(1 << 20, 1)])
    old.exec('DELETE FROM t')
    old.close()
    const { out, err } = await store('compact', '--config', configOf('one'))
    expect({ out, err }).to.deep.equal({ out: 'compacted\n', err: '' })
    expect(statSync(path).size).to.be.below(1 << 20)
  })

  it('takes over what an earlier version wrote', async () => {
    const file = fileURLToPath(new URL('../store/fixtures/version-1.jsonl', import.meta.url))
    const { out, err } = await store('import', file, '--config', configOf('one'))
    expect(out).to.equal('27 records imported\n')
    expect(err).to.match(/^warning EXPORT_UNMARKED: .* an earlier version wrote it/)
  })

  it('is not created by commands that read it', async () => {
    const config = configOf('none')
    for (const args of [
      ['store', 'export'],
      ['store', 'compact'],
      ['runs', 'list'],
      ['tokens', 'list'],
    ]) {
      const { status, err } = await command([...args, '--config', config], { cwd: folder })
      expect(status).to.equal(1)
      const path = join(folder, 'none.db')
      expect(err).to.equal(`error STORAGE_FAILED: There is no SQLite file "${path}".\n`)
      expect(existsSync(path)).to.equal(false)
    }
  })

  it('is not made of an empty file by commands that read it', async () => {
    const path = join(folder, 'none.db')
    writeFileSync(path, '')
    const config = configOf('none')
    for (const args of [
      ['store', 'export'],
      ['runs', 'list'],
      ['store', 'backup', 'copy.db'],
    ]) {
      const { status, err } = await command([...args, '--config', config], { cwd: folder })
      expect(status).to.equal(1)
      expect(err).to.include(`The file "${path}" is empty: it has no SQLite database.\n`)
      expect(statSync(path).size).to.equal(0)
    }
  })

  it('is not the memory of a server, in which everything would be lost', async () => {
    const memory = ['--set', 'server.store=memory'] as const
    const { status, err } = await command(['store', 'export', ...memory], { cwd: folder })
    expect(status).to.equal(2)
    expect(err).to.include('the memory of the server, which no other process can use')
    const issued = await command(['tokens', 'issue', 'ada', ...memory], { cwd: folder })
    expect({ status: issued.status, out: issued.out }).to.deep.equal({ status: 2, out: '' })
  })

  it('says which line is none', async () => {
    const config = configOf('one')
    for (const [line, reason] of [
      ['{"type"', 'Line 2 is wrong: it is not JSON.'],
      [
        '[1]',
        'Line 2 is wrong: the value is not a storage record, since its "type" is missing or unknown.',
      ],
      ['{"type":"settings","owner":1,"layer":{}}', 'Line 2 is wrong at /owner: '],
    ] as const) {
      const input = `\n${line}\n`
      const { status, err } = await braidwork(['store', 'import', '--config', config], { input })
      expect(status).to.not.equal(0)
      expect(err).to.include(reason)
    }
  })

  it('says what is wrong with a file, and what to do', async () => {
    await fill('one')
    const config = configOf('one')
    const inFile = join(config, 'x')
    for (const [verb, file, reason] of [
      ['import', join(folder, 'none'), 'The file does not exist.'],
      ['import', folder, 'This is a folder; name a file in it.'],
      ['import', inFile, 'The file does not exist.'],
      ['export', join(folder, 'none', 'x'), 'The folder does not exist; create it first.'],
      ['export', folder, 'This is a folder; name a file in it.'],
      ['export', inFile, 'The folder is a file; name another folder.'],
    ] as const) {
      const { status, out, err } = await command(['store', verb, file, '--config', config], {
        cwd: folder,
      })
      const done = verb === 'import' ? 'read' : 'written'
      expect({ status, out }).to.deep.equal({ status: 2, out: '' })
      expect(err).to.equal(`error OPTION_INVALID: "${file}" cannot be ${done}. ${reason}\n`)
    }
  })

  it('says of a file that it may not be read or written', async function () {
    if (process.getuid?.() === 0) {
      process.stderr.write('"may not be read or written" is skipped: root may do everything\n')
      this.skip()
    }
    await fill('one')
    const file = join(folder, 'closed')
    writeFileSync(file, '', { mode: 0o000 })
    for (const [command, verb] of [
      ['import', 'read'],
      ['export', 'write'],
    ] as const) {
      const { status, err } = await store(command, file, '--config', configOf('one'))
      expect(status).to.equal(2)
      expect(err).to.include('OPTION_INVALID').and.include(`You may not ${verb} this file.`)
    }
  })

  it('keeps it among the data of the user where the config says nothing', async () => {
    const env = { XDG_DATA_HOME: folder }
    const { status } = await braidwork(['tokens', 'issue', 'ada'], { cwd: folder, env })
    expect(status).to.equal(0)
    expect(existsSync(join(folder, 'braidwork', 'conversations.db'))).to.equal(true)
    expect(statSync(join(folder, 'braidwork')).mode & 0o777).to.equal(0o700)
  })
})
