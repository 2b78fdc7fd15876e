import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import Database from 'libsql'
import type { Storage } from '../../src/agent/storage/index.ts'
import { HostError } from '../../src/plugin/errors.ts'
import { openStorage } from '../../src/store/index.ts'
import { copyStorage } from '../../src/store/open-storage.ts'
import { collectUntil } from '../helpers/garbage.ts'
import { memoryFolder } from '../helpers/memory-folder.ts'
import { SmallDisk } from '../helpers/small-disk.ts'
import { entry } from './stored.ts'

/** What a descriptor of this process leads to. */
function targetOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return ''
  }
}

async function thrownBy(answer: Promise<unknown>): Promise<HostError> {
  const thrown = await answer.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error,
  )
  if (HostError.is(thrown)) return thrown
  throw thrown
}

/** How long the texts are that the rows of a file hold of its entries and runs, and what each is a piece of. */
function piecesIn(path: string): readonly unknown[] {
  const file = new Database(path, { readonly: true })
  try {
    return file
      .prepare(
        `SELECT 'entry' AS kind, id, 0 AS position, pieces, length(content) AS length FROM entries
          UNION ALL SELECT 'run', id, 0, pieces, length(run_order) FROM runs
          UNION ALL SELECT 'entry', id, position, NULL, length(piece) FROM entry_pieces
          UNION ALL SELECT 'run', id, position, NULL, length(piece) FROM run_pieces
          ORDER BY 1, 2, 3`,
      )
      .all()
  } finally {
    file.close()
  }
}

describe('a file of SQLite', () => {
  let folder: string
  let path: string
  let storage: Storage | undefined
  beforeEach(() => {
    folder = memoryFolder('braidwork-sqlite-')
    path = join(folder, 'data.db')
  })
  afterEach(async () => {
    await storage?.close()
    storage = undefined
    rmSync(folder, { recursive: true, force: true })
  })

  const talk = (id: string, more: object = {}) => ({
    id,
    owner: 'ada',
    agent: 'a',
    sender: 's',
    ...more,
  })
  const create = (id: string) =>
    storage?.conversations.create(talk(id), 1) ?? expect.fail('no storage')
  const rights = (file: string) => statSync(file).mode & 0o777

  it('is its owner’s alone, with all that belongs to it, and so is a folder made for it', async () => {
    path = join(folder, 'deep/er/data.db')
    storage = await openStorage(path)
    await create('one')
    expect(rights(join(folder, 'deep'))).to.equal(0o700)
    expect(rights(join(folder, 'deep/er'))).to.equal(0o700)
    for (const file of [path, `${path}-wal`, `${path}-shm`]) {
      expect(rights(file), file).to.equal(0o600)
    }
  })

  it('keeps the rights that it has', async () => {
    writeFileSync(path, '')
    chmodSync(path, 0o640)
    storage = await openStorage(`file:${path}`)
    expect(rights(path)).to.equal(0o640)
  })

  it('is named by a path or a file: address, and by no other', async () => {
    for (const place of ['mysql://x/y', 'https://db.example/x', 'libsql://x', 'FTP:x']) {
      expect(await thrownBy(openStorage(place))).to.include({ code: 'OPTION_INVALID' })
    }
    expect(existsSync('mysql:')).to.equal(false)
    for (const place of ['', undefined, 1, { path }, [path]]) {
      const error = await thrownBy(openStorage(place as string))
      expect(error).to.include({ code: 'OPTION_INVALID' })
      expect(error.message).to.include('openStorage needs "memory", the path')
    }
    storage = await openStorage(`file://${path}`)
    expect(existsSync(path)).to.equal(true)
  })

  it('is let go of when it is closed, while somebody still has the closed storage', async function () {
    if (!existsSync('/proc/self/fd')) {
      process.stderr.write('"is let go of" is skipped: only Linux lists descriptors in /proc\n')
      this.skip()
    }
    const opened = await openStorage(path)
    await opened.conversations.create(talk('one'), 1)
    await opened.close()
    const isHeld = () => readdirSync('/proc/self/fd').some((fd) => targetOf(fd).startsWith(path))
    // The driver closes the file when its statements are collected.
    await collectUntil(() => !isHeld())
    expect(isHeld()).to.equal(false)
    expect(opened).to.have.property('conversations')
  })

  it('that cannot be is refused, and nothing is begun', async () => {
    writeFileSync(join(folder, 'file'), 'x')
    for (const place of [join(folder, 'file/data.db'), folder, join(folder, 'file', 'x', 'y')]) {
      expect(await thrownBy(openStorage(place))).to.include({ code: 'STORAGE_FAILED' })
    }
  })

  it('that may not be written is refused', async function () {
    if (process.getuid?.() === 0) {
      process.stderr.write('"that may not be written" is skipped: root may write everything\n')
      this.skip()
    }
    chmodSync(folder, 0o500)
    expect(await thrownBy(openStorage(path))).to.include({ code: 'STORAGE_FAILED' })
    chmodSync(folder, 0o700)
  })

  it('that is no database is refused, and left as it is', async () => {
    const text = 'This is a letter, and no database at all. '.repeat(200)
    writeFileSync(path, text)
    const error = await thrownBy(openStorage(path))
    expect(error).to.include({ code: 'STORAGE_FAILED', retryable: false })
    expect(error.message).to.include('not a database')
    expect(readFileSync(path, 'utf8')).to.equal(text)
  })

  it('of another program is refused, and left as it is', async () => {
    const connection = new Database(path)
    connection.exec('CREATE TABLE photos (a)')
    connection.close()
    const before = readFileSync(path)
    const error = await thrownBy(openStorage(path))
    expect(error).to.include({ code: 'STORAGE_FAILED', retryable: false })
    expect(error.message).to.include('another program: it has the table "photos"')
    expect(readFileSync(path).equals(before)).to.equal(true)
  })

  it('whose schema version cannot be read is refused', async () => {
    await (await openStorage(path)).close()
    for (const version of ["'x'", '0']) {
      const connection = new Database(path)
      connection.exec(`UPDATE schema_version SET version = ${version}`)
      connection.close()
      const error = await thrownBy(openStorage(path))
      expect(error).to.include({ code: 'STORAGE_FAILED', retryable: false })
      expect(error.message).to.include('The schema version of the database is ')
    }
  })

  it('whose schema version is lost is refused', async () => {
    await (await openStorage(path)).close()
    const connection = new Database(path)
    connection.exec('DELETE FROM schema_version')
    connection.close()
    const error = await thrownBy(openStorage(path))
    expect(error).to.include({ code: 'STORAGE_FAILED', retryable: false })
    expect(error.message).to.include('The schema version of the database is lost.')
  })

  it('of a newer version is refused, and left as it is', async () => {
    storage = await openStorage(path)
    await create('one')
    await storage.close()
    const connection = new Database(path)
    connection.exec('UPDATE schema_version SET version = 999')
    connection.close()
    storage = undefined
    const error = await thrownBy(openStorage(path))
    expect(error).to.include({ code: 'STORAGE_NEWER' })
    expect(error.message).to.include('999').and.include('newer braidwork')
    const again = new Database(path)
    expect(again.prepare('SELECT count(*) AS n FROM conversations').get()).to.deep.include({ n: 1 })
    again.close()
  })

  it('whose pages were written over says so, and ends no process', async () => {
    storage = await openStorage(path)
    for (let count = 0; count < 200; count++) await create(`talk-${count}`)
    await storage.close()
    storage = undefined
    const bytes = readFileSync(path)
    expect(bytes.byteLength).to.be.above(20 * 4096)
    // What every page begins with, the first page, and all behind the schema.
    for (const [from, to] of [
      [0, 100],
      [100, 4096],
      [8192, bytes.byteLength],
    ] as const) {
      const broken = Buffer.from(bytes).fill(0xa5, from, to)
      writeFileSync(path, broken)
      for (const side of ['-wal', '-shm']) rmSync(`${path}${side}`, { force: true })
      const use = async (): Promise<void> => {
        const opened = await openStorage(path)
        try {
          await opened.check()
          for await (const record of opened.exportRecords()) void record
          throw new HostError('STORAGE_FAILED', 'Nothing was noticed.', { retryable: true })
        } finally {
          await opened.close()
        }
      }
      const error = await thrownBy(use())
      expect(error, String(from)).to.include({ code: 'STORAGE_FAILED', retryable: false })
    }
  })

  it('that is full fails in a way that may pass, keeps what it had, and goes on when there is room', async function () {
    const disk = SmallDisk.mount(1024)
    if (!disk) {
      process.stderr.write('"that is full" is skipped: no file system may be mounted here\n')
      return this.skip()
    }
    try {
      storage = await openStorage(join(disk.folder, 'data.db'))
      await create('before')
      disk.fill()
      expect(await thrownBy(storage.check())).to.include({ code: 'STORAGE_FAILED' })
      const metadata = { text: 'x'.repeat(100_000) }
      const create2 = storage.conversations.create(talk('large', { metadata }), 1)
      expect(await thrownBy(create2)).to.include({ code: 'STORAGE_FAILED', retryable: true })
      expect(await storage.conversations.load('ada', 'before')).to.include({ id: 'before' })
      disk.free()
      await storage.check()
      await create('large')
      expect(await storage.conversations.list('ada')).to.have.length(2)
    } finally {
      await storage?.close()
      storage = undefined
      disk.unmount()
    }
  })

  it('has all that it holds in one file once it is closed', async () => {
    storage = await openStorage(path)
    await create('one')
    await storage.close()
    rmSync(`${path}-wal`, { force: true })
    rmSync(`${path}-shm`, { force: true })
    storage = await openStorage(path)
    expect(await storage.conversations.load('ada', 'one')).to.include({ id: 'one' })
  })

  it('has what a long transaction brought before anything else is stored, and however soon it is closed', async () => {
    const long = 'x'.repeat(5_000_000)
    const lengths = async () =>
      (await storage?.conversations.entries('ada', 't'))?.map((one) => JSON.stringify(one).length)
    storage = await openStorage(path)
    await create('t')
    await storage.conversations.append('ada', 't', { entries: [entry('a', long)] }, 2)
    while (statSync(path).size < long.length) await pause(5)
    await storage.conversations.append('ada', 't', { entries: [entry('b', long)] }, 3)
    const before = await lengths()
    await storage.close()
    rmSync(`${path}-wal`, { force: true })
    rmSync(`${path}-shm`, { force: true })
    storage = await openStorage(path)
    expect(before).to.have.length(2)
    expect(await lengths()).to.deep.equal(before)
  })

  it('that is deleted, moved or replaced while it is in use is written no more', async () => {
    for (const act of [
      () => rmSync(path),
      () => renameSync(path, `${path}.old`),
      () => {
        copyFileSync(path, `${path}.new`)
        renameSync(`${path}.new`, path)
      },
    ]) {
      storage = await openStorage(path)
      await create('one')
      act()
      for (const write of [() => create('two'), async () => storage?.check()]) {
        const error = await thrownBy(write())
        expect(error).to.include({ code: 'STORAGE_FAILED', retryable: false })
        expect(error.message).to.include(path).and.include('Put it back')
      }
      await storage.close()
      storage = undefined
      for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
    }
  })

  describe('from which much is deleted', () => {
    const size = () => statSync(path).size
    const fill = async (id: string): Promise<void> => {
      await create(id)
      for (let count = 0; count < 20; count++) {
        const bytes = Buffer.alloc(500_000, `${id} ${count}`)
        await storage?.files.put('ada', { mediaType: 'a/b', bytes }, id)
      }
    }
    /** When the file is so small, in a storage that goes on. */
    const shrinksTo = async (most: number): Promise<void> => {
      while (size() > most) {
        await storage?.conversations.load('ada', 'kept')
        await new Promise(setImmediate)
      }
    }

    it('gives the room back while it is in use, and stops nothing for long', async function () {
      this.timeout(30_000)
      storage = await openStorage(path)
      await fill('kept')
      await storage.compact()
      const before = size()
      await fill('gone')
      expect(size()).to.be.above(before + 5_000_000)
      const delay = monitorEventLoopDelay({ resolution: 5 })
      delay.enable()
      await storage.conversations.delete('ada', 'gone')
      await shrinksTo(before + 100_000)
      delay.disable()
      process.stdout.write(`      longest stretch: ${(delay.max / 1e6).toFixed(0)} ms\n`)
      expect(await storage.conversations.load('ada', 'kept')).to.include({ id: 'kept' })
      expect(await storage.files.count('ada', 'kept')).to.equal(20)
    })

    for (const [name, act] of [
      ['when it is opened', async () => undefined],
      ['when it is compacted', async () => storage?.compact()],
    ] as const) {
      it(`gives it back if an earlier version made it, ${name}`, async function () {
        this.timeout(30_000)
        const old = new Database(path)
        old.exec('CREATE TABLE t (b BLOB); CREATE TABLE schema_version (version INTEGER NOT NULL)')
        const insert = old.prepare('INSERT INTO t (b) VALUES (?)')
        for (let count = 0; count < 20; count++) insert.run([Buffer.alloc(500_000, 1)])
        old.exec('DELETE FROM t')
        old.close()
        expect(size()).to.be.above(8_000_000)
        storage = await openStorage(path)
        await act()
        await fill('gone')
        await storage.conversations.delete('ada', 'gone')
        await shrinksTo(2_000_000)
        await storage.check()
      })
    }
  })

  it('has long texts in the same pieces where it takes over records', async () => {
    const long = 'é'.repeat(150_000)
    storage = await openStorage(path)
    await create('t')
    const run = { id: 'r', owner: 'ada', conversationId: 't', order: { long } }
    const lease = { holder: 'h', expiresAt: 1000 }
    await storage.runs.start(run, lease, { entries: [entry('a', long), entry('b')] }, 2)
    const target = join(folder, 'other.db')
    const other = await openStorage(target)
    await other.importRecords(storage.exportRecords('ada'))
    await other.close()
    await storage.close()
    storage = undefined
    const [own, taken] = [path, target].map(piecesIn)
    expect(own).to.have.lengthOf.at.least(7)
    expect(taken).to.deep.equal(own)
  })

  it('is copied while another process has it for itself for a moment', async () => {
    storage = await openStorage(path)
    await create('before')
    await storage.close()
    storage = undefined
    const [locked, target] = ['locked.db', 'copy.db'].map((name) => join(folder, name)) as [
      string,
      string,
    ]
    copyFileSync(path, locked)
    writeFileSync(target, '')
    const other = new Database(locked)
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    other.exec("UPDATE conversations SET title = 'new'")
    let turns = 0
    const beat = setInterval(() => {
      if (++turns === 10) other.close()
    }, 5)
    try {
      await copyStorage(locked, target)
      expect(turns).to.be.at.least(10)
    } finally {
      clearInterval(beat)
      other.close()
    }
    storage = await openStorage(target)
    expect(await storage.conversations.load('ada', 'before')).to.include({ id: 'before' })
  })

  describe('that another process has locked', () => {
    let other: Database.Database
    beforeEach(async () => {
      storage = await openStorage(path)
      await create('before')
      other = new Database(path)
      other.exec('BEGIN IMMEDIATE')
    })
    afterEach(() => other.close())

    it('is waited for, while all else in this process goes on', async () => {
      let turns = 0
      let longest = 0
      let last = performance.now()
      const beat = setInterval(() => {
        const now = performance.now()
        longest = Math.max(longest, now - last)
        last = now
        turns++
        if (turns === 40) other.exec('COMMIT')
      }, 5)
      await create('after')
      clearInterval(beat)
      expect(turns).to.be.at.least(40)
      // One try holds up at most so long; others use the machine too.
      expect(longest).to.be.below(500)
      expect(await storage?.conversations.load('ada', 'after')).to.include({ id: 'after' })
    })

    it('can be read meanwhile', async () => {
      expect(await storage?.conversations.load('ada', 'before')).to.include({ id: 'before' })
    })

    it('for too long fails in a way that may pass, and leaves nothing behind', async () => {
      const { now } = performance
      // Time goes by a hundred times as fast, since it is waited for some seconds.
      performance.now = () => 100 * now.call(performance)
      try {
        for (const write of [() => create('late'), async () => storage?.check()]) {
          expect(await thrownBy(write())).to.include({ code: 'STORAGE_FAILED', retryable: true })
        }
      } finally {
        performance.now = now
      }
      other.exec('COMMIT')
      expect(await storage?.conversations.load('ada', 'late')).to.equal(undefined)
      await storage?.check()
      await create('late')
      await storage?.conversations.append('ada', 'before', { entries: [], parent: null }, 2)
    })
  })
})
