import { expect } from 'chai'
import { EventLog } from '../../../../src/server/routes/mcp/event-log.ts'

const message = (method: string) => ({ jsonrpc: '2.0' as const, method })

async function replayed(log: EventLog, after: string): Promise<readonly string[]> {
  const ids: string[] = []
  await log.replayEventsAfter(after, { send: async (id) => void ids.push(id) })
  return ids
}

describe('the events of a session of MCP', () => {
  it('are read on in the stream in which a client stopped', async () => {
    const log = new EventLog()
    const first = await log.storeEvent('a', message('one'))
    await log.storeEvent('b', message('two'))
    const third = await log.storeEvent('a', message('three'))
    expect(await log.getStreamIdForEventId(first)).to.equal('a')
    expect(await replayed(log, first)).to.deep.equal([third])
  })

  it('are dropped when there are too many, the oldest first', async () => {
    const log = new EventLog()
    const first = await log.storeEvent('a', message('one'))
    const second = await log.storeEvent('a', message('two'))
    for (let at = 2; at <= 1000; at++) await log.storeEvent('a', message('more'))
    expect(await log.getStreamIdForEventId(first)).to.equal(undefined)
    expect(await replayed(log, second)).to.have.lengthOf(999)
    const error = await replayed(log, first).catch((thrown: unknown) => thrown)
    expect(String(error)).to.include('no longer kept')
  })

  it('are dropped when they are too large, except for the newest', async () => {
    const log = new EventLog()
    const small = await log.storeEvent('a', message('one'))
    const large = await log.storeEvent('a', message('a'.repeat(2 << 20)))
    expect(await log.getStreamIdForEventId(small)).to.equal(undefined)
    expect(await log.getStreamIdForEventId(large)).to.equal('a')
    const next = await log.storeEvent('a', message('two'))
    expect(await log.getStreamIdForEventId(large)).to.equal(undefined)
    expect(await log.getStreamIdForEventId(next)).to.equal('a')
  })
})
