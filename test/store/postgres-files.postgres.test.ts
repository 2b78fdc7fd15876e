import { expect } from 'chai'
import pg from 'pg'
import type { Storage } from '../../src/agent/storage/index.ts'
import { openStorage } from '../../src/store/index.ts'
import { begin, postgres } from './backends.ts'
import { OWNER } from './stored.ts'

const FILE = { mediaType: 'image/png', bytes: new Uint8Array(100_000) }

/** Another process changes the same file: it has begun a transaction, and ends it once the storage waits for it. */
describe('a file in PostgreSQL that another process changes meanwhile', function () {
  this.timeout(30_000)
  const backend = postgres()
  let storage: Storage
  let other: pg.Client
  let hash: string
  before(async function () {
    await begin(backend, this)
  })
  after(() => backend.end())
  beforeEach(async () => {
    const place = backend.place()
    storage = await openStorage(place)
    other = new pg.Client(place)
    await other.connect()
    hash = await storage.files.put(OWNER, FILE, 'from')
  })
  afterEach(async () => {
    await other.end()
    await storage.close()
  })

  /** Ends the other transaction where the act waits for it, or has ended before. */
  async function meanwhile<T>(statements: readonly string[], act: () => Promise<T>): Promise<T> {
    await other.query('BEGIN')
    for (const statement of statements) await other.query(statement, [hash])
    let isOver = false
    const acting = act().finally(() => {
      isOver = true
    })
    // Its outcome counts, and not when it is known.
    acting.catch(() => undefined)
    while (!isOver && !(await isWaiting())) await new Promise(setImmediate)
    await other.query('COMMIT')
    return acting
  }

  async function isWaiting(): Promise<boolean> {
    const { rows } = await other.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return rows.length > 0
  }

  const DELETION = ['DELETE FROM files WHERE hash = $1', 'DELETE FROM blobs WHERE hash = $1']
  const STORING = [
    `INSERT INTO files (owner, hash, conversation_id, media_type, size)
      VALUES ('bob', $1, '', 'image/png', 100000)`,
  ]

  it('is stored although the last owner of its bytes deletes them', async () => {
    expect(await meanwhile(DELETION, () => storage.files.put('bob', FILE))).to.equal(hash)
    expect((await storage.files.load('bob', hash))?.bytes).to.deep.equal(FILE.bytes)
  })

  it('is deleted although another owner stores it, who keeps the bytes', async () => {
    expect(await meanwhile(STORING, () => storage.files.delete(OWNER, hash))).to.equal(true)
    expect(await storage.files.load(OWNER, hash)).to.equal(undefined)
    expect((await storage.files.load('bob', hash))?.bytes).to.deep.equal(FILE.bytes)
  })

  it('goes with its conversation although another owner stores it', async () => {
    await storage.conversations.create({ id: 'from', owner: OWNER, agent: 'a', sender: 's' }, 1)
    const gone = () => storage.conversations.delete(OWNER, 'from')
    expect(await meanwhile(STORING, gone)).to.equal(true)
    expect(await storage.files.count(OWNER, 'from')).to.equal(0)
    expect((await storage.files.load('bob', hash))?.bytes).to.deep.equal(FILE.bytes)
  })

  it('is not shared with a conversation once it is deleted', async () => {
    await meanwhile(DELETION, () => storage.files.share(OWNER, 'from', 'to'))
    expect(await storage.files.count(OWNER, 'to')).to.equal(0)
  })
})
