import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import Database from 'libsql'
import { openStorage } from '../../src/store/index.ts'
import { SmallDisk } from '../helpers/small-disk.ts'
import { braidwork, COMMAND } from './command.ts'
import { eachServedFolder, post, type ServedFolder } from './serving.ts'

/** The size of a database whose copy takes about half a second, in MiB. */
const LARGE = 64

describe('braidwork store backup', () => {
  let made: ServedFolder
  eachServedFolder((given) => {
    made = given
  })

  const inFolder = (name: string) => join(made.folder, name)

  const backup = (to: string, ...options: readonly string[]) =>
    braidwork(['store', 'backup', to, ...options], { cwd: made.folder })

  /** The options for a database that has one conversation, and this many MiB besides. */
  async function stored(mebibytes = 0): Promise<readonly string[]> {
    const path = inFolder('stored.db')
    const storage = await openStorage(path)
    await storage.conversations.create({ id: 'talk', owner: 'o', agent: 'a', sender: 's' }, 1)
    await storage.close()
    if (mebibytes > 0) fill(path, mebibytes)
    return ['--set', `server.store=${path}`]
  }

  it('has every response that was stored before it began, while a server stores more', async () => {
    const server = made.begin({ store: inFolder('stored.db') })
    const address = await server.address()
    const ids: string[] = []
    let isOver = false
    const write = async (): Promise<void> => {
      while (!isOver) {
        const body = { model: 'quick', input: 'hello', store: true }
        const answer = await post(address, '/v1/responses', body)
        ids.push(((await answer.json()) as { readonly id: string }).id)
      }
    }
    const writers = [write(), write()]
    while (ids.length < 20) await wait(5)
    const before = [...ids]
    const { status, out, err } = await backup('copy.db', '--config', inFolder('served.json'))
    const after = ids.length
    isOver = true
    await Promise.all(writers)
    await server.stop('SIGTERM')
    const copy = inFolder('copy.db')
    expect({ status, out, err }).to.deep.equal({
      status: 0,
      out: `${statSync(copy).size} bytes written to copy.db\n`,
      err: '',
    })
    expect(after, 'responses while the copy was made').to.be.above(before.length)
    expect(statSync(copy).mode & 0o777).to.equal(0o600)

    const restored = made.begin({ store: copy })
    const place = await restored.address()
    for (const id of before) {
      expect((await fetch(`${place}/v1/responses/${id}`)).status, id).to.equal(200)
    }
  })

  it('goes to a folder that may be written and not read', async function () {
    if (process.getuid?.() === 0 || process.platform === 'win32') {
      process.stderr.write('"goes to a folder" is skipped: its user may read every folder\n')
      return this.skip()
    }
    const options = await stored()
    const drop = inFolder('drop')
    mkdirSync(drop)
    chmodSync(drop, 0o300)
    try {
      const { status, err } = await backup(join(drop, 'copy.db'), ...options)
      expect({ status, err }).to.deep.equal({ status: 0, err: '' })
      expect(existsSync(join(drop, 'copy.db'))).to.equal(true)
    } finally {
      chmodSync(drop, 0o700)
    }
  })

  /** Whether some of a copy has been written. */
  function hasBegun(to: string): boolean {
    const folder = readdirSync(made.folder).find((name) =>
      name.startsWith(`${basename(to)}.partial`),
    )
    const copy = folder === undefined ? undefined : inFolder(join(folder, 'copy'))
    return (copy === undefined ? 0 : (statSync(copy, { throwIfNoEntry: false })?.size ?? 0)) > 0
  }

  it('leaves no file of that name if it is killed, and none at all if it is stopped', async () => {
    const options = await stored(LARGE)
    for (const [signal, left] of [
      ['SIGKILL', 1],
      ['SIGTERM', 0],
      ['SIGINT', 0],
    ] as const) {
      const to = inFolder(`${signal}.db`)
      const child = spawn(process.execPath, [COMMAND, 'store', 'backup', to, ...options])
      const ended = once(child, 'close')
      while (!hasBegun(to)) await wait(1)
      child.kill(signal)
      const [status] = (await ended) as [number | null]
      expect(existsSync(to), signal).to.equal(false)
      const files = readdirSync(made.folder).filter((name) => name.startsWith(signal))
      expect(files, signal).to.have.length(left)
      expect(status).to.equal(signal === 'SIGKILL' ? null : 130)
    }
  })

  it('says that the disk is full, and leaves nothing there', async function () {
    const disk = SmallDisk.mount(1024)
    if (disk === undefined) {
      process.stderr.write('"the disk is full" is skipped: this user may not mount a file system\n')
      return this.skip()
    }
    try {
      const to = join(disk.folder, 'copy.db')
      const { status, err } = await backup(to, ...(await stored(4)))
      expect(status).to.equal(1)
      expect(err).to.match(/^error STORAGE_FAILED: The backup ".*" was not made\. .*full/)
      expect(readdirSync(disk.folder)).to.deep.equal([])
    } finally {
      disk.unmount()
    }
  })

  it('says what is wrong with the target, and changes nothing there', async () => {
    const options = await stored()
    writeFileSync(inFolder('old'), 'old')
    for (const [to, reason] of [
      ['old', 'The file exists; name another one.'],
      ['.', 'This is a folder; name a file in it.'],
      [join('none', 'x'), 'The folder does not exist; create it first.'],
      [join('old', 'x'), 'The folder is a file; name another folder.'],
    ] as const) {
      const { status, out, err } = await backup(to, ...options)
      expect({ status, out }, to).to.deep.equal({ status: 2, out: '' })
      expect(err).to.equal(`error OPTION_INVALID: "${to}" cannot be written. ${reason}\n`)
    }
    expect(readFileSync(inFolder('old'), 'utf8')).to.equal('old')
  })

  it('takes a name with an apostrophe', async () => {
    const options = await stored()
    expect((await backup("ada's.db", ...options)).status).to.equal(0)
    const storage = await openStorage(inFolder("ada's.db"))
    expect((await storage.conversations.load('o', 'talk'))?.agent).to.equal('a')
    await storage.close()
  })

  it('names the tool for a storage that is no file', async () => {
    const address = 'postgres://ada:sesame@127.0.0.1/braidwork'
    const { status, err } = await backup('copy', '--set', `server.store=${address}`)
    expect(status).to.equal(2)
    expect(err).to.include('pg_dump').and.not.include('sesame')
    const memory = await backup('copy', '--set', 'server.store=memory')
    expect(memory.status).to.equal(2)
    expect(memory.err).to.include('Set "server.store" to a file.')
    expect(existsSync(inFolder('copy'))).to.equal(false)
  })

  it('refuses a file that is missing or is no database', async () => {
    writeFileSync(inFolder('text'), 'This is not a database. '.repeat(100))
    for (const [store, reason] of [
      ['none', 'There is no SQLite file "none".'],
      ['text', 'The storage failed: file is not a database'],
    ] as const) {
      const { status, err } = await backup('copy', '--set', `server.store=${store}`)
      expect(status).to.equal(1)
      expect(err).to.include(`The backup "copy" was not made. ${reason}`)
    }
    expect(readdirSync(made.folder)).to.deep.equal(['text'])
  })
})

function fill(path: string, mebibytes: number): void {
  const database = new Database(path)
  database.exec('CREATE TABLE filler (b BLOB)')
  const insert = database.prepare('INSERT INTO filler (b) VALUES (?)')
  for (let count = 0; count < mebibytes; count++) insert.run([Buffer.alloc(1 << 20, 1)])
  database.close()
}
