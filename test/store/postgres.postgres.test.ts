import { expect } from 'chai'
import pg from 'pg'
import type { Storage } from '../../src/agent/storage/index.ts'
import { openStorage } from '../../src/store/index.ts'
import { openExisting, openIfThere } from '../../src/store/internal.ts'
import { postgresStorage } from '../../src/store/postgres/index.ts'
import { errorOf } from '../helpers/plugins.ts'
import { begin, postgres } from './backends.ts'
import { PostgresProxy } from './postgres-proxy.ts'
import { codeOf } from './stored.ts'

/** Runs a statement. Returns the number of its rows. */
async function asked(place: string, text: string): Promise<number> {
  const client = new pg.Client(place)
  await client.connect()
  try {
    return (await client.query(text)).rows.length
  } finally {
    await client.end()
  }
}

const talk = { id: 'talk', owner: 'ada', agent: 'a', sender: 's' }

describe('a database of PostgreSQL', function () {
  this.timeout(30_000)
  const backend = postgres()
  before(async function () {
    await begin(backend, this)
  })
  after(() => backend.end())

  it('that drops its connections fails in a way that may pass, and ends no process', async () => {
    const place = backend.place()
    const storage = await openStorage(place)
    const other = new pg.Client(place)
    await other.connect()
    await storage.conversations.create(talk, 1)
    const outcomes: string[] = []
    for (let round = 0; round < 30; round++) {
      // Each is a transaction of several statements; some are cut between two of them.
      const writes = Array.from({ length: 20 }, async (_, at) => {
        const write = storage.conversations.update('ada', 'talk', { title: `${round}.${at}` }, 2)
        outcomes.push(
          await write.then(
            () => 'stored',
            () => codeOf(write),
          ),
        )
      })
      await other.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      )
      await Promise.all(writes)
    }
    expect(new Set(outcomes)).to.have.all.keys('stored', 'STORAGE_FAILED')
    await storage.check()
    await other.end()
    await storage.close()
  })

  it('that is empty is left as it is where nothing may be created', async () => {
    const place = backend.place()
    const { code, message } = await errorOf(openExisting(place))
    expect(code).to.equal('STORAGE_FAILED')
    expect(message).to.include('has no tables of Braidwork')
    expect(await openIfThere(place)).to.equal(undefined)
    expect(await asked(place, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).to.equal(0)
    await (await openStorage(place)).close()
    await (await openExisting(place)).close()
  })

  it('whose schema version is lost is refused', async () => {
    const place = backend.place()
    await (await openStorage(place)).close()
    await asked(place, 'DELETE FROM schema_version')
    const { code, message } = await errorOf(openStorage(place))
    expect(code).to.equal('STORAGE_FAILED')
    expect(message).to.include('The schema version of the database is lost.')
  })

  describe('has connections', () => {
    let other: pg.Client
    let storage: Storage
    beforeEach(async () => {
      const place = backend.place()
      other = new pg.Client(place)
      await other.connect()
      storage = await openStorage(place)
      await storage.conversations.create(talk, 1)
    })
    afterEach(async () => {
      await other.end()
      await storage.close()
    })

    const connections = async (): Promise<readonly number[]> => {
      const { rows } = await other.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY pid`,
      )
      return rows.map(({ pid }) => pid)
    }

    it('that outlive a transaction that was refused', async () => {
      const before = await connections()
      expect(before).to.have.lengthOf.at.least(1)
      for (let time = 0; time < 3; time++) {
        expect(await codeOf(storage.conversations.create(talk, 1))).to.equal('CONVERSATION_EXISTS')
      }
      expect(await connections()).to.deep.equal(before)
    })

    it('but no longer the one that compacted it, whose statements may take any time', async () => {
      const [before = 0, ...others] = await connections()
      expect(others).to.deep.equal([])
      await storage.compact()
      // The server ends the process of a connection a moment after the client left it.
      while ((await connections()).includes(before)) await storage.conversations.load('ada', 'talk')
      expect(await storage.conversations.load('ada', 'talk')).to.include({ id: 'talk' })
    })
  })

  it('that drops a connection as it is handed over ends no process either', async () => {
    const place = backend.place()
    const proxy = await PostgresProxy.start(place)
    const storage = await openStorage(proxy.addressOf(place))
    try {
      await storage.conversations.create(talk, 1)
      const rename = () => storage.conversations.update('ada', 'talk', { title: 'new' }, 2)
      proxy.breaking = true
      // More transactions than idle connections: for the others one is made, and broken.
      const writes = [rename(), rename(), rename()]
      const outcomes = await Promise.allSettled(writes)
      const failed = writes.filter((_, at) => outcomes[at]?.status === 'rejected')
      const codes = await Promise.all(failed.map(codeOf))
      expect(new Set(codes)).to.deep.equal(new Set(['STORAGE_FAILED']))
      proxy.breaking = false
      await rename()
    } finally {
      await storage.close()
      await proxy.close()
    }
  })

  describe('that stops answering', () => {
    let place: string
    let proxy: PostgresProxy
    let storage: Storage
    beforeEach(async () => {
      place = backend.place()
      proxy = await PostgresProxy.start(place)
      storage = await postgresStorage(proxy.addressOf(place), { answerTimeout: 200 })
      await storage.conversations.create(talk, 1)
    })
    afterEach(async () => {
      await storage.close()
      await proxy.close()
    })

    it('fails each statement in a way that may pass, and is asked on new connections', async () => {
      proxy.silent = true
      const failure = await storage.check().catch((error: unknown) => error)
      expect(failure).to.include({ code: 'STORAGE_FAILED', retryable: true })
      expect((failure as Error).message).to.include('did not answer within 0.2 seconds')
      proxy.silent = false
      await storage.check()
      expect(proxy.connections).to.equal(1)
    })

    it('does not hold up the end of its storage', async () => {
      proxy.silent = true
      await storage.close()
      storage = await postgresStorage(place)
    })
  })

  /** The highest number of connections of a role while a storage of its own does much at once. */
  const mostOf = async (role: string, options: string, limit = -1): Promise<number> => {
    const place = new URL(backend.place())
    const admin = new pg.Client(place.href)
    await admin.connect()
    await admin.query(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT ${limit}`)
    await admin.query(`GRANT ALL ON SCHEMA public TO ${role}`)
    place.username = role
    const storage = await openStorage(`${place.href}${options}`)
    const writes = Array.from({ length: 20 }, (_, at) =>
      storage.conversations.create({ ...talk, id: `talk-${at}` }, 1),
    )
    await Promise.all(writes)
    const { rows } = await admin.query(`SELECT pid FROM pg_stat_activity WHERE usename = '${role}'`)
    await storage.close()
    await admin.end()
    return rows.length
  }

  it('that has no connections left is asked on those that are open', async () => {
    expect(await mostOf('few', '', 2)).to.equal(2)
  })

  it('is asked on as many connections as its address says', async () => {
    expect(await mostOf('single', '?connection_limit=1')).to.equal(1)
    const refused = openStorage(`${backend.place()}?connection_limit=none`)
    expect(await codeOf(refused)).to.equal('OPTION_INVALID')
  })
})
