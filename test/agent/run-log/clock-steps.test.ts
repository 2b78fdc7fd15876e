import { expect } from 'chai'
import { type Environment, run, systemEnvironment } from '../../../src/agent/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { RunLog, type RunReader } from '../../../src/agent/run-log/index.ts'
import type { Storage } from '../../../src/agent/storage/index.ts'
import { createHost, type Host } from '../../../src/core/host/index.ts'
import { HandClock, SetClock, STEPS, YEAR } from '../../helpers/clock.ts'
import { textEvents } from '../../helpers/hosts.ts'
import { eventProvider } from '../../helpers/plugins.ts'

const OWNER = 'ada'
const LEASE = { heartbeat: 10, expiry: 30 }
const WORDS = ['one ', 'two ', 'three ', 'four ', 'five']

describe('the run log, where the clock is set while it works,', () => {
  let storage: Storage
  let host: Host
  let logs: RunLog[]
  let say: () => void

  beforeEach(async () => {
    storage = memoryStorage()
    logs = []
    let said: () => void = () => undefined
    let words = 0
    say = () => {
      words++
      said()
    }
    const stream = async function* () {
      for (const event of textEvents(...WORDS)) {
        yield event
        if (event.type !== 'text-delta') continue
        if (words === 0) await new Promise<void>((resolve) => (said = resolve))
        words--
      }
    }
    host = await createHost({ plugins: [eventProvider([], { stream })] })
  })
  afterEach(async () => {
    for (let count = 0; count < WORDS.length; count++) say()
    await Promise.all(logs.map((log) => log.close()))
    await host.close()
  })

  function logOf(environment: Environment): RunLog {
    const log = new RunLog({ storage, environment, log: () => undefined, lease: LEASE })
    logs.push(log)
    return log
  }

  async function begun(log: RunLog): Promise<RunReader> {
    await log.start({
      run: { id: 'r', owner: OWNER, order: {} },
      open: (stored, { signal }) =>
        run(host, { config: { provider: 'p' }, messages: 'go', signal, runId: stored.id }),
    })
    return log.read(OWNER, 'r')
  }

  /** Reads on until the run has said a word, or its last. */
  async function nextWord(reader: RunReader): Promise<string> {
    for (let page = await reader.next(); !page.done; page = await reader.next()) {
      const [delta] = page.value.flatMap((event) => (event.type === 'text-delta' ? [event] : []))
      if (delta) return delta.delta
      if (page.value.at(-1)?.type === 'finish') return 'finish'
    }
    return 'over'
  }

  for (const [name, step] of STEPS) {
    it(`shows what is said at once when the clock goes ${name}`, async () => {
      const clock = new SetClock()
      const reader = await begun(logOf(clock.environment))
      expect(await nextWord(reader)).to.equal(WORDS[0])
      clock.step(step)
      for (const word of [...WORDS.slice(1), 'finish']) {
        say()
        expect(await nextWord(reader)).to.equal(word)
      }
    })

    it(`leaves the runs of others alone when its clock goes ${name}`, async () => {
      const reader = await begun(logOf(systemEnvironment))
      await nextWord(reader)
      const clock = new SetClock()
      const other = logOf(clock.environment)
      expect(await other.recover()).to.equal(0)
      clock.step(step)
      expect(await other.recover()).to.equal(0)
      for (let count = 0; count < WORDS.length; count++) say()
      while ((await nextWord(reader)) !== 'finish');
    })

    it(`leaves its own runs alone when its clock goes ${name}`, async () => {
      const clock = new HandClock()
      const log = logOf(clock.environment)
      const reader = await begun(log)
      await nextWord(reader)
      await log.recover()
      clock.now += step
      clock.elapsed += LEASE.expiry * 2000
      expect(await log.recover()).to.equal(0)
      expect(log.activeRuns).to.equal(1)
    })

    it(`ends a run that was left, in time, when the clock went ${name}`, async () => {
      const lease = { holder: 'gone', expiresAt: Date.now() + YEAR }
      await storage.runs.start({ id: 'r', owner: OWNER, order: {} }, lease, { entries: [] }, 1)
      const clock = new HandClock()
      const log = logOf(clock.environment)
      expect(await log.recover()).to.equal(0)
      clock.pass(LEASE.expiry * 1000 - 1)
      clock.now += step
      expect(await log.recover()).to.equal(0)
      clock.pass(1)
      expect(await log.recover()).to.equal(1)
      expect((await storage.runs.load(OWNER, 'r'))?.status).to.equal('interrupted')
    })

    it(`knows a sign of life by its change, from a process whose clock went ${name}`, async () => {
      const own = { holder: 'other', expiresAt: 1_000_000 }
      await storage.runs.start({ id: 'r', owner: OWNER, order: {} }, own, { entries: [] }, 1)
      const clock = new HandClock()
      const log = logOf(clock.environment)
      await log.recover()
      for (let beat = 1; beat <= 6; beat++) {
        clock.pass(LEASE.expiry * 500)
        await storage.runs.renew(['r'], { holder: 'other', expiresAt: own.expiresAt + step + beat })
        expect(await log.recover()).to.equal(0)
      }
    })
  }
})
