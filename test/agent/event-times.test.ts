import { expect } from 'chai'
import { run } from '../../src/agent/index.ts'
import { createHost } from '../../src/core/host/index.ts'
import type { RunEvent } from '../../src/plugin/events/index.ts'
import { HandClock } from '../helpers/clock.ts'
import { collect, textEvents } from '../helpers/hosts.ts'
import { eventProvider } from '../helpers/plugins.ts'

describe('the time of an event', () => {
  /** The events of a run whose clock moves by one of the steps before each word. */
  async function eventsWith(clock: HandClock, ...steps: readonly number[]): Promise<RunEvent[]> {
    const stream = async function* () {
      let word = 0
      for (const event of textEvents(...steps.map(String))) {
        if (event.type === 'text-delta') clock.now += steps[word++] ?? 0
        yield event
      }
    }
    const host = await createHost({ plugins: [eventProvider([], { stream })] })
    const { environment } = clock
    const events = await collect(
      run(host, { config: { provider: 'p' }, messages: 'go', environment }),
    )
    await host.close()
    return events
  }

  function timesOf(events: readonly RunEvent[], type?: RunEvent['type']) {
    return events.filter((event) => type === undefined || event.type === type).map(({ at }) => at)
  }

  it("LR-14 is that of the environment's clock when a run numbers it, in a run without a storage too", async () => {
    const clock = new HandClock()
    const begun = clock.now
    const events = await eventsWith(clock, 5, 10)
    expect(timesOf(events, 'text-delta')).to.deep.equal([begun + 5, begun + 15])
    expect(timesOf(events, 'start')).to.deep.equal([begun])
    expect(timesOf(events, 'finish')).to.deep.equal([begun + 15])
    expect(timesOf(events)).not.to.include(undefined)
  })

  it('LR-14 is never before that of an earlier event, even if the clock is set back meanwhile', async () => {
    const clock = new HandClock()
    const begun = clock.now
    const events = await eventsWith(clock, 5, -1000, 10, 1000)
    const times = [5, 5, 5, 15].map((passed) => begun + passed)
    expect(timesOf(events, 'text-delta')).to.deep.equal(times)
    expect(timesOf(events)).to.deep.equal([...timesOf(events)].sort())
  })
})
