import { expect } from 'chai'
import { systemEnvironment } from '../../../src/agent/environment.ts'
import type { Storage } from '../../../src/agent/storage/index.ts'
import { HostError, type Log } from '../../../src/plugin/index.ts'
import { CompactionClaims } from '../../../src/server/runs/compaction-claims.ts'
import { openStorage } from '../../../src/store/index.ts'
import { type Backend, begin } from '../../store/backends.ts'
import { codeOf } from '../../store/stored.ts'

/** A server of a storage, with clocks of its own. */
class Server {
  readonly storage: Storage
  readonly logged: string[] = []
  readonly #claims: CompactionClaims
  #elapsed = 0
  #wake: () => void = () => undefined

  /** @param ahead by how many milliseconds its system clock is wrong */
  constructor(storage: Storage, ahead = 0) {
    this.storage = storage
    const log: Log = ({ message }) => void this.logged.push(message)
    const environment = {
      ...systemEnvironment,
      now: () => systemEnvironment.now() + ahead,
      elapsed: () => this.#elapsed,
      sleep: (_: number, signal?: AbortSignal) =>
        new Promise<void>((resolve, reject) => {
          this.#wake = resolve
          signal?.addEventListener('abort', () => reject(signal.reason))
        }),
    }
    this.#claims = new CompactionClaims({ storage, environment, log })
  }

  claim(act: () => Promise<unknown> = async () => 'done', key = 'a'): Promise<unknown> {
    return this.#claims.claimed(key, act)
  }

  /** Begins work that goes on until the returned function is called. */
  async work(): Promise<() => Promise<unknown>> {
    let end: () => void = () => undefined
    const working = new Promise<void>((resolve) => {
      end = resolve
    })
    let done: Promise<unknown> = Promise.resolve()
    await new Promise<void>((resolve, reject) => {
      done = this.claim(async () => {
        resolve()
        await working
      })
      done.catch(reject)
    })
    return () => {
      end()
      return done
    }
  }

  pass(milliseconds: number): void {
    this.#elapsed += milliseconds
  }

  /** Lets a process that works give its next sign of life, and waits until that is stored. */
  async beat(): Promise<void> {
    const { counters } = this.storage
    const add = counters.add.bind(counters)
    await new Promise<void>((resolve, reject) => {
      counters.add = async (changes) => {
        counters.add = add
        await add(changes).then(resolve, reject)
      }
      this.#wake()
    })
  }
}

/** Tries claims to compactions on a kind of storage. */
export function compactionClaimsSuite(backend: Backend): void {
  describe(`the claim to a compaction in ${backend.name}`, () => {
    let open: Storage[]
    let first: Server
    let second: Server

    before(function () {
      return begin(backend, this)
    })
    after(() => backend.end())
    beforeEach(async () => {
      const place = backend.place()
      const storage = await openStorage(place)
      open = place === 'memory' ? [storage] : [storage, await openStorage(place)]
      first = new Server(storage)
      second = new Server(open.at(-1) ?? storage, 11_000)
    })
    afterEach(async () => {
      for (const storage of open) await storage.close()
    })

    it('is of one at a time, however wrong the clocks of servers are, and ends with the work', async () => {
      const end = await first.work()
      expect(await codeOf(second.claim())).to.equal('COMPACTION_BUSY')
      expect(await codeOf(new Server(first.storage, -86_400_000).claim())).to.equal(
        'COMPACTION_BUSY',
      )
      expect(await second.claim(undefined, 'b')).to.equal('done')
      await end()
      expect(await second.claim()).to.equal('done')
    })

    it('ends where the work fails', async () => {
      const failing = first.claim(() => Promise.reject(new HostError('COMPACTION_FAILED', 'no')))
      expect(await codeOf(failing)).to.equal('COMPACTION_FAILED')
      expect(await second.claim()).to.equal('done')
    })

    it('goes on as long as the work does', async () => {
      const end = await first.work()
      for (let beats = 0; beats < 5; beats++) {
        expect(await codeOf(second.claim()), `beat ${beats}`).to.equal('COMPACTION_BUSY')
        await first.beat()
        second.pass(15_000)
      }
      expect(await codeOf(second.claim())).to.equal('COMPACTION_BUSY')
      await end()
      expect(await second.claim()).to.equal('done')
    })

    it('is told from that of later work, however long nobody looked', async () => {
      const endFirst = await first.work()
      expect(await codeOf(second.claim())).to.equal('COMPACTION_BUSY')
      await endFirst()
      const endLater = await first.work()
      second.pass(60_000)
      expect(await codeOf(second.claim())).to.equal('COMPACTION_BUSY')
      await endLater()
    })

    it('of a process that has ended is over for one that has seen no sign of life for 10 seconds', async () => {
      const end = await first.work()
      expect(await codeOf(second.claim())).to.equal('COMPACTION_BUSY')
      second.pass(9999)
      expect(await codeOf(second.claim())).to.equal('COMPACTION_BUSY')
      second.pass(1)
      const endSecond = await second.work()
      // Others need not wait again, and the process was only frozen.
      await end()
      expect(await codeOf(first.claim())).to.equal('COMPACTION_BUSY')
      await endSecond()
      expect(await new Server(first.storage).claim()).to.equal('done')
      const endThird = await first.work()
      expect(await codeOf(second.claim())).to.equal('COMPACTION_BUSY')
      await endThird()
    })

    it('hinders no work where it cannot be given back, and says so', async () => {
      first.storage.counters.add = () => Promise.reject(new HostError('STORAGE_FAILED', 'Gone.'))
      expect(await first.claim()).to.equal('done')
      expect(first.logged).to.deep.equal(['The claim to a compaction cannot be stored: Gone.'])
    })
  })
}
