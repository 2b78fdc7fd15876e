import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Storage } from '../../src/agent/storage/index.ts'
import { openStorage } from '../../src/store/index.ts'
import { PostgresServer } from '../helpers/postgres.ts'
import { SmallDisk } from '../helpers/small-disk.ts'
import { type OnSocket, onSocket } from './hostile/on-socket.ts'
import { until } from './load/local-server.ts'

const LEASE = { heartbeat: 0.2, expiry: 0.5 }

function chat(id: string, text = 'count', model = 'careful'): object {
  return {
    id,
    agent: model,
    messages: [{ id: `${id}-q`, role: 'user', parts: [{ type: 'text', text }] }],
  }
}

/** What an answer says so far: its frames, and after them its text as one. */
function whole(frames: string): string {
  const deltas = [...frames.matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta)
  return `${frames}\n${deltas.join('')}`
}

/** Reads an answer until it has these words in it; the rest comes when it is asked for. */
async function readUntil(answer: Response, words: string) {
  const pieces = (answer.body as ReadableStream<Uint8Array>)[Symbol.asyncIterator]()
  const decoder = new TextDecoder()
  let text = ''
  /** Whether there was more. */
  const more = async (): Promise<boolean> => {
    const piece = await pieces.next()
    if (!piece.done) text += decoder.decode(piece.value, { stream: true })
    return !piece.done
  }
  while (!whole(text).includes(words) && (await more()));
  return {
    rest: async (): Promise<string> => {
      while (await more());
      return whole(text)
    },
  }
}

describe('a server whose storage fails', function () {
  this.timeout(60_000)
  let served: OnSocket | undefined
  let storage: Storage | undefined
  afterEach(async () => {
    await served?.close()
    served = undefined
    await storage?.close()
    storage = undefined
  })

  const start = async (place: string): Promise<OnSocket> => {
    storage = await openStorage(place)
    served = await onSocket({ storage, lease: LEASE })
    return served
  }
  const ready = async (server: OnSocket): Promise<number> => (await server.ask('/readyz')).status
  const isReady = async (server: OnSocket): Promise<void> => {
    while ((await ready(server)) !== 200) await new Promise(setImmediate)
  }

  describe('for want of room', () => {
    let disk: SmallDisk
    beforeEach(function () {
      const mounted = SmallDisk.mount(8192)
      if (!mounted) {
        process.stderr.write('"for want of room" is skipped: no file system may be mounted here\n')
        this.skip()
      }
      disk = mounted
    })
    afterEach(async () => {
      await served?.close()
      served = undefined
      await storage?.close()
      storage = undefined
      disk.unmount()
    })

    it('says so, tells its runs, keeps what was stored, and works again when there is room', async () => {
      const server = await start(join(disk.folder, 'data.db'))
      await (await server.ask('/api/chat', chat('before', 'hi', 'quick'))).text()
      const answer = await server.ask('/api/chat', chat('during'))
      const reading = await readUntil(answer, 'number 3')
      disk.fill()
      expect(await ready(server)).to.equal(503)
      const text = await reading.rest()
      expect(text).to.include('"type":"error"').and.include('The storage of the server failed.')
      expect(text).to.not.include(disk.folder).and.not.include('database or disk')
      const refused = await server.ask('/api/chat', chat('refused'))
      expect(refused.status).to.equal(503)
      expect(await refused.text()).to.include('STORAGE_FAILED')
      expect(await (await server.ask('/api/conversations/before')).text()).to.include(
        'You said: hi',
      )
      disk.free()
      await isReady(server)
      await (await server.ask('/api/chat', chat('after', 'hi', 'quick'))).text()
      const log = JSON.stringify(server.lines)
      expect(log).to.include('database or disk is full')
    })

    it('goes on with its runs where room is made soon', async () => {
      const server = await start(join(disk.folder, 'data.db'))
      const reading = await readUntil(await server.ask('/api/chat', chat('talk')), 'number 3')
      disk.fill()
      expect(await ready(server)).to.equal(503)
      disk.free()
      const text = await reading.rest()
      expect(text).to.include('number 60').and.not.include('"type":"error"')
    })
  })

  describe('because PostgreSQL was stopped', () => {
    let database: PostgresServer | undefined
    before(async function () {
      const missing = PostgresServer.missing()
      if (missing !== undefined) {
        process.stderr.write(`"because PostgreSQL was stopped" is skipped: ${missing}\n`)
        this.skip()
      }
      database = await PostgresServer.start()
    })
    after(() => database?.close())

    it('goes on with its runs where it is back soon', async () => {
      const server = await start(database?.createDatabase() ?? '')
      const reading = await readUntil(await server.ask('/api/chat', chat('talk')), 'number 3')
      await database?.stop()
      expect(await ready(server)).to.equal(503)
      await database?.begin()
      const text = await reading.rest()
      expect(text).to.include('number 60').and.not.include('"type":"error"')
      expect(await ready(server)).to.equal(200)
      const history = await (await server.ask('/api/conversations/talk')).text()
      expect(history).to.include('number 60')
    })

    it('tells its runs where it stays away, and says what became of them when it is back', async () => {
      const server = await start(database?.createDatabase() ?? '')
      const answer = await server.ask('/api/chat', chat('talk'))
      const run = answer.headers.get('x-run-id') ?? ''
      const reading = await readUntil(answer, 'number 3')
      await database?.stop()
      const text = await reading.rest()
      expect(text).to.include('"type":"error"').and.include('The storage of the server failed.')
      expect(text).to.not.include('ECONNREFUSED').and.not.include('127.0.0.1')
      await until(() => server.server.activeRuns === 0)
      const path = '/api/conversations'
      expect((await server.ask(path)).status).to.equal(503)
      await database?.begin()
      await isReady(server)
      // Whoever sees for a while that nobody renews the lease says that the run was interrupted.
      await served?.close()
      served = await onSocket({ storage: storage as Storage, lease: LEASE })
      await until(async () => (await storage?.runs.load('ada', run))?.status === 'interrupted')
      const history = await (await served.ask(`${path}/talk`)).text()
      expect(history).to.include('number 3')
    })
  })

  describe('where two of them share it', () => {
    let folder: string
    let database: PostgresServer | undefined
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'braidwork-shared-'))
    })
    after(async () => {
      rmSync(folder, { recursive: true, force: true })
      await database?.close()
    })

    for (const backend of ['SQLite', 'PostgreSQL'] as const) {
      describe(`in ${backend}`, () => {
        let other: OnSocket
        let otherStorage: Storage
        before(async function () {
          const missing = backend === 'PostgreSQL' ? PostgresServer.missing() : undefined
          if (missing !== undefined) {
            process.stderr.write(`"in ${backend}" is skipped: ${missing}\n`)
            this.skip()
          }
          if (backend === 'PostgreSQL') database = await PostgresServer.start()
        })
        beforeEach(async () => {
          const place = database?.createDatabase() ?? join(folder, `${Date.now()}.db`)
          await start(place)
          otherStorage = await openStorage(place)
          other = await onSocket({ storage: otherStorage, lease: LEASE })
        })
        afterEach(async () => {
          await other.close()
          await otherStorage.close()
        })

        it('reads in one what runs in the other, as it comes', async () => {
          const answer = await served?.ask('/api/chat', chat('talk'))
          const run = answer?.headers.get('x-run-id')
          await readUntil(answer as Response, 'number 3')
          const there = await other.ask('/api/chat/talk/stream')
          expect(there.status).to.equal(200)
          expect(whole(await there.text())).to.include('number 60')
          const events = await (await other.ask(`/runs/${run}/events`)).text()
          expect(events).to.include('event: finish')
        })

        it('stops in one what runs in the other', async () => {
          const answer = (await served?.ask('/api/chat', chat('talk'))) as Response
          const run = answer.headers.get('x-run-id') ?? ''
          const reading = await readUntil(answer, 'number 3')
          const stopped = await other.ask('/api/chat/talk/stop', {})
          expect(await stopped.json()).to.deep.equal({ stopped: true })
          await reading.rest()
          await until(() => served?.server.activeRuns === 0)
          expect(await storage?.runs.load('ada', run)).to.include({ status: 'aborted' })
          const history = await (await served?.ask('/api/conversations/talk'))?.text()
          expect(history).to.include('number 3').and.not.include('number 60')
        })

        it('lets one answer what the other asked, once', async () => {
          const asked = await served?.ask('/api/chat', chat('talk', 'calculate', 'careful'))
          const run = asked?.headers.get('x-run-id') ?? ''
          await asked?.text()
          const [approval] = (await storage?.approvals.list('ada', run)) ?? []
          const path = `/approvals/${approval?.id}`
          const answers = await Promise.all([
            other.ask(path, { approved: true }),
            served?.ask(path, { approved: true }),
          ])
          expect(answers.map((answer) => answer?.status)).to.deep.equal([200, 200])
          const events = await (await other.ask(`/runs/${run}/events`)).text()
          expect(events.match(/event: tool-execution-start/g)).to.have.length(1)
        })

        it('is busy in one with what runs in the other', async () => {
          const answer = (await served?.ask('/api/chat', chat('talk'))) as Response
          await readUntil(answer, 'number 3')
          const next = {
            ...chat('talk'),
            messages: [{ id: 'q2', role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
          }
          const busy = await other.ask('/api/chat', next)
          expect(busy.status).to.equal(409)
          expect(await busy.text()).to.include('CONVERSATION_BUSY')
          await answer.body?.cancel().catch(() => undefined)
        })
      })
    }
  })
})
