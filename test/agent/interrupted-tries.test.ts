import { expect } from 'chai'
import { memoryStorage, run } from '../../src/agent/index.ts'
import { RunLog } from '../../src/agent/run-log/index.ts'
import { createHost } from '../../src/core/index.ts'
import { EventChecker, type PartialEvent, type RunEvent } from '../../src/plugin/events/index.ts'
import { collect, textEvents } from '../helpers/hosts.ts'
import { ANSWER, CUT, Flaky, OVERLOADED, QuickTime } from './flaky-provider.ts'

const USED: PartialEvent = { type: 'metadata', metadata: { usage: { input: 5, output: 1 } } }
const HALF = { events: [USED, ...textEvents('half').slice(0, 2)], error: CUT }

describe('a run that was interrupted while it repeated requests', () => {
  it('LR-11 goes on after every event, and still counts what discarded requests used', async () => {
    const { environment } = new QuickTime()
    const options = { messages: 'go', runId: 'x', environment, retry: { max_retries: 5 } } as const
    const whole = await createHost({
      plugins: [new Flaky({ error: OVERLOADED }, HALF, HALF, ANSWER).plugin()],
    })
    const events = await collect(run(whole, options))
    await whole.close()
    const ends = events.length - 1
    for (let count = 1; count < ends; count++) {
      const told = events.slice(0, count)
      const storage = memoryStorage()
      const lease = { holder: 'dead', expiresAt: 0 }
      await storage.runs.start({ id: 'x', owner: 'ada', order: {} }, lease, { entries: [] }, 1)
      await storage.runs.append('dead', [{ runId: 'x', events: told }])
      await using host = await createHost({ plugins: [new Flaky(ANSWER).plugin()] })
      const log = new RunLog({ storage, environment, log: () => undefined })
      await log.recover(
        () => true,
        async ({ interruption }) => ({
          open: (_run, { signal }) => run(host, { ...options, signal, resume: interruption }),
        }),
      )
      const all: RunEvent[] = []
      for await (const page of log.read('ada', 'x')) all.push(...page)
      await log.close()
      const checker = new EventChecker('run')
      for (const event of all) checker.check(event)
      const ending = all.at(-1)
      const discarded = told.filter((event) => event.type === 'model-failed' && event.usage).length
      const used = discarded === 0 ? {} : { input: 5 * discarded, output: discarded }
      const where = `after ${count} events, the last a ${told.at(-1)?.type}`
      expect(ending?.type, where).to.equal('finish')
      expect(ending?.type === 'finish' && ending.usage, where).to.deep.equal(used)
    }
  })
})
