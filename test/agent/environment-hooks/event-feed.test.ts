import { expect } from 'chai'
import { EventFeed } from '../../../src/agent/environment-hooks/index.ts'
import { createRuntime, type RunEvent } from '../../../src/agent/index.ts'
import { HostError } from '../../../src/plugin/errors.ts'
import { collect, scriptedHost } from '../../helpers/hosts.ts'

const event = (seq: number): RunEvent => ({
  type: 'step-start',
  step: 1,
  requestId: 'r',
  runId: 'x',
  seq,
})

/** The numbers of the events that a subscriber reads, and how many it missed in between. */
async function read(items: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  return (await collect(items as AsyncIterable<{ readonly event?: RunEvent }>)).map((item) =>
    item.event ? item.event.seq : item,
  )
}

describe('a subscription to all events', () => {
  it('CT-30 begins when it is made, and has the events of all conversations', async () => {
    await using host = await scriptedHost()
    const runtime = await createRuntime({ host, agents: [{ id: 'a' }, { id: 'b' }] })
    await (await runtime.run('a', { messages: 'before' })).result
    const events = runtime.subscribeEvents()
    await (await runtime.run('a', { messages: 'Hello', conversationId: 'c1' })).result
    await (await runtime.run('b', { messages: 'Hello' })).result
    const ends: unknown[] = []
    for await (const item of events) {
      if ('missed' in item) expect.fail('it missed events')
      if (item.event.type === 'finish') ends.push([item.agent, item.conversationId])
      if (ends.length === 2) break
    }
    expect(ends).to.deep.equal([
      ['a', 'c1'],
      ['b', undefined],
    ])
  })

  it('CT-30 tells a slow subscriber what it missed, and costs another one nothing', async () => {
    const feed = new EventFeed()
    const stop = new AbortController()
    const slow = feed.subscribe({ most: 3, signal: stop.signal })
    const quick = feed.subscribe({ signal: stop.signal })
    for (let seq = 0; seq < 10; seq++) feed.publish({ agent: 'a', event: event(seq) })
    expect((await slow.next()).value).to.deep.equal({ agent: 'a', event: event(0) })
    feed.publish({ agent: 'a', event: event(10) })
    feed.publish({ agent: 'a', event: event(11) })
    stop.abort()
    expect(await read(quick)).to.deep.equal(Array.from({ length: 12 }, (_, seq) => seq))
    expect(await read(slow)).to.deep.equal([1, 2, { missed: 7 }, 10, { missed: 1 }])
  })

  it('ends with the runtime and with the host, and begins no more', async () => {
    for (const part of ['runtime', 'host'] as const) {
      await using host = await scriptedHost()
      const runtime = await createRuntime({ host, agents: [{ id: 'a' }] })
      const waiting = read(runtime.subscribeEvents())
      await { runtime, host }[part].close()
      expect(await waiting, part).to.deep.equal([])
      expect(await read(runtime.subscribeEvents()), part).to.deep.equal([])
    }
  })

  it('refuses options that are none', () => {
    const feed = new EventFeed()
    const wrong = [{ most: 0 }, { most: '5' }, { mosts: 5 }, { signal: new AbortController() }]
    for (const options of wrong) {
      expect(() => feed.subscribe(options as object), JSON.stringify(options))
        .to.throw(HostError)
        .with.property('code', 'OPTION_INVALID')
    }
  })

  it('ends with its reader, its signal, and at once if that has aborted', async () => {
    const feed = new EventFeed()
    const left = feed.subscribe()
    await left.return?.()
    expect(await left.next()).to.deep.equal({ value: undefined, done: true })
    expect(await read(feed.subscribe({ signal: AbortSignal.abort() }))).to.deep.equal([])
    const stop = new AbortController()
    const waiting = read(feed.subscribe({ signal: stop.signal }))
    stop.abort()
    expect(await waiting).to.deep.equal([])
  })
})
