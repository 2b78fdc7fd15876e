import { copyFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { systemEnvironment } from '../../../src/agent/index.ts'
import { RunLog } from '../../../src/agent/run-log/index.ts'
import type { Storage, StoredRecord, StoredRun } from '../../../src/agent/storage/index.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'
import { openStorage } from '../../../src/store/index.ts'
import { Served } from '../../server/routes/served.ts'
import { type Backend, begin, sqlite } from '../backends.ts'

/** See `write-database.ts` beside it. */
export const WITHOUT_TIMES = fileURLToPath(new URL('../fixtures/without-times.db', import.meta.url))
const OWNER = 'ada'
/** The first time of this version, before the approval in the file ends. */
const NOW = 1_795_570_000_000
const environment = { ...systemEnvironment, now: () => NOW }

/** The records of the file, as a version that reads it exports them. */
async function recordsOfFile(): Promise<readonly StoredRecord[]> {
  const backend = sqlite()
  await backend.begin()
  const place = backend.place()
  copyFileSync(WITHOUT_TIMES, place)
  const storage = await openStorage(place)
  const records = await allOf(storage)
  await storage.close()
  await backend.end()
  return records
}

async function allOf(storage: Storage): Promise<readonly StoredRecord[]> {
  const records: StoredRecord[] = []
  for await (const record of storage.exportRecords()) records.push(record)
  return records
}

/** What a storage has whose events an earlier version stored, and how it goes on. */
export function eventsWithoutTimesSuite(backend: Backend): void {
  describe(`a storage in ${backend.name} whose events have no times`, function () {
    this.timeout(30_000)
    let storage: Storage
    let done: StoredRun
    let suspended: StoredRun
    let active: StoredRun

    before(async function () {
      await begin(backend, this)
    })
    after(() => backend.end())
    beforeEach(async () => {
      const place = backend.place()
      if (backend.name === 'SQLite') copyFileSync(WITHOUT_TIMES, place)
      storage = await openStorage(place)
      if (backend.name !== 'SQLite') await storage.importRecords(await recordsOfFile())
      const runs = [...(await storage.runs.list(OWNER, 'talk')), ...(await runsOfSlow())]
      const runOf = (status: StoredRun['status']) => {
        const run = runs.find((one) => one.status === status)
        return run ?? expect.fail(`no run is ${status}`)
      }
      done = runOf('done')
      suspended = runOf('suspended')
      active = runOf('active')
    })
    afterEach(() => storage.close())

    const runsOfSlow = () => storage.runs.list(OWNER, 'slow')
    const eventsOf = (run: StoredRun) => storage.runs.events(OWNER, run.id)
    const timesOf = (events: readonly RunEvent[]) => [...new Set(events.map(({ at }) => at))]

    it('LR-14 has all its runs, and makes up no times for their events', async () => {
      const lengths = await Promise.all(
        [done, suspended, active].map(async (run) => (await eventsOf(run)).length),
      )
      expect(lengths).to.deep.equal([27, 15, 7])
      const records = await allOf(storage)
      const events = records.flatMap((record) => (record.type === 'event' ? [record.event] : []))
      expect(timesOf(events)).to.deep.equal([undefined])
      await storage.runs.prune(NOW, NOW)
      expect(timesOf(await eventsOf(done))).to.deep.equal([undefined])
      expect(await eventsOf(done)).to.have.length.below(27)
    })

    it('LR-14 shows them on a server, and goes on with events that have a time', async () => {
      const models = { careful: { config: { tool_policy: { calculate: 'ask' as const } } } }
      const served = await Served.start({ storage, environment, models })
      const [approval] = await storage.approvals.list(OWNER, suspended.id)
      const body = { approved: true }
      expect((await served.ask(`/approvals/${approval?.id}`, { body })).status).to.equal(200)
      const { text } = await served.ask(`/runs/${suspended.id}/events`)
      const shown = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''))
      expect(shown.at(-1)).to.include({ type: 'finish', at: NOW })
      expect(timesOf(shown)).to.deep.equal([undefined, NOW])
      expect(shown.slice(0, 15).map(({ at }) => at)).to.deep.equal(Array(15).fill(undefined))
      const stored = await eventsOf(suspended)
      expect(shown.map(({ seq }) => seq)).to.deep.equal(stored.map(({ seq }) => seq))
      // Only admins may know the model, so its event is shown without it.
      const isWhole = ({ type }: RunEvent) => type !== 'model-chosen'
      expect(shown.filter(isWhole)).to.deep.equal(stored.filter(isWhole))
      expect(await served.history('talk')).to.have.length(4)
      await served.close()
    })

    it('LR-14 ends the run that was left with a time', async () => {
      const log = new RunLog({ storage, environment, log: () => undefined })
      expect(await log.recover(() => true)).to.equal(1)
      const events = await eventsOf(active)
      expect(events.map(({ at }) => at)).to.deep.equal([...Array(7).fill(undefined), NOW])
      expect(events.at(-1)).to.include({ type: 'error', seq: 7 })
      await log.close()
    })
  })
}
