import { expect } from 'chai'
import { type EventSource, EventStream } from '../../../src/core/host/event-stream.ts'

/** A source that shows these lists, and notes how far it came and how it was told to end. */
class Lists implements EventSource<string, string> {
  readonly log: string[] = []
  readonly #lists: readonly (readonly string[])[]

  constructor(...lists: readonly (readonly string[])[]) {
    this.#lists = lists
  }

  async run(show: (list: readonly string[]) => undefined | Promise<void>): Promise<string> {
    for (const list of this.#lists) {
      this.log.push(`shows ${list.join('')}`)
      await show(list)
    }
    this.log.push('ends')
    return 'result'
  }

  cancel(reason: string): void {
    this.log.push(`cancelled: ${reason}`)
  }
}

function streamOf(source: EventSource<string, string>): EventStream<string, string> {
  return new EventStream(source, (event) => event.toUpperCase())
}

const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function all(stream: AsyncIterable<string>): Promise<readonly string[]> {
  const events: string[] = []
  for await (const event of stream) events.push(event)
  return events
}

describe('a stream of events', () => {
  it('does not begin before somebody reads', async () => {
    const source = new Lists(['a'])
    streamOf(source)
    await turnOfLoop()
    expect(source.log).to.deep.equal([])
  })

  it('makes no list before all of the one before it was read, and more is waited for', async () => {
    const source = new Lists(['a', 'b'], ['c'])
    const reader = streamOf(source)[Symbol.asyncIterator]()
    expect((await reader.next()).value).to.equal('A')
    expect((await reader.next()).value).to.equal('B')
    await turnOfLoop()
    expect(source.log).to.deep.equal(['shows ab'])
    expect((await reader.next()).value).to.equal('C')
    expect(source.log).to.deep.equal(['shows ab', 'shows c'])
    expect((await reader.next()).done).to.equal(true)
    expect((await reader.next()).done).to.equal(true)
  })

  it('has its result for a reader that reads no further than the ending event', async () => {
    const stream = new EventStream<{ readonly type: string }, string>({
      run: async (show) => {
        await show([{ type: 'text-delta' }, { type: 'finish' }])
        return 'result'
      },
      cancel: () => undefined,
    })
    for await (const { type } of stream) {
      if (type === 'finish') expect(await stream.result).to.equal('result')
    }
  })

  it('serves those who wait in the order in which they came, and all of them at its end', async () => {
    const reader = streamOf(new Lists(['a'], ['b']))[Symbol.asyncIterator]()
    const results = await Promise.all([1, 2, 3, 4].map(() => reader.next()))
    expect(results.map(({ value }) => value)).to.deep.equal(['A', 'B', undefined, undefined])
  })

  it('drains where nobody reads, and gives the ending to whoever comes after that', async () => {
    const source = new Lists(['a'], ['b'])
    const stream = streamOf(source)
    expect(await stream.result).to.equal('result')
    expect(await all(stream)).to.deep.equal(['B'])
    expect(source.log.at(-1)).to.equal('ends')
  })

  it('drains nothing for whoever has its result in hand and does not wait for it', async () => {
    const source = new Lists(['a'], ['b'])
    const stream = streamOf(source)
    const { result } = stream
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(source.log).to.deep.equal([])
    expect(await all(stream)).to.deep.equal(['A', 'B'])
    expect(await result).to.equal('result')
  })

  it('drains for those who wait for its result among others', async () => {
    const results = [1, 2].map(() => streamOf(new Lists(['a'])).result)
    expect(await Promise.all(results)).to.deep.equal(['result', 'result'])
    const { result } = streamOf(new Lists(['a']))
    expect(await result.finally(() => undefined)).to.equal('result')
  })

  it('leaves its events to a reader that begins in the same turn as it is asked for its result', async () => {
    const stream = streamOf(new Lists(['a'], ['b']))
    const { result } = stream
    expect(await all(stream)).to.deep.equal(['A', 'B'])
    expect(await result).to.equal('result')
  })

  it('cancels where its reader leaves, and is over when that is', async () => {
    const source = new Lists(['a', 'b'], ['c'])
    const stream = streamOf(source)
    for await (const event of stream) if (event === 'A') break
    expect(source.log).to.deep.equal(['shows ab', 'cancelled: the reader left', 'shows c', 'ends'])
    expect(await stream.result).to.equal('result')
    expect(await all(stream)).to.deep.equal(['C'])
  })

  it('cancels where its reader leaves before it has begun', async () => {
    const source = new Lists(['a'])
    const reader = streamOf(source)[Symbol.asyncIterator]()
    await reader.return?.()
    expect(source.log).to.deep.equal(['cancelled: the reader left', 'shows a', 'ends'])
  })

  it('gives no second reader more than the ending', async () => {
    const stream = streamOf(new Lists(['a'], ['b']))
    const [first, second] = await Promise.all([all(stream), all(stream)])
    expect(first).to.deep.equal(['A', 'B'])
    expect(second).to.deep.equal(['B'])
  })

  it('shows what is shown while nobody waits behind what was there before it', async () => {
    let show: (list: readonly string[]) => undefined | Promise<void> = () => undefined
    let end: () => void = () => undefined
    const source: EventSource<string, string> = {
      run: async (given) => {
        show = given
        await show(['a', 'b'])
        await new Promise<void>((resolve) => {
          end = resolve
        })
        return 'result'
      },
      cancel: () => undefined,
    }
    const reader = streamOf(source)[Symbol.asyncIterator]()
    await reader.next()
    void show(['c'])
    const rest = [reader.next(), reader.next(), reader.next()]
    await turnOfLoop()
    void show(['d'])
    end()
    const values = (await Promise.all(rest)).map(({ value }) => value)
    expect(values).to.deep.equal(['B', 'C', 'D'])
    expect((await reader.next()).done).to.equal(true)
    expect(show(['e'])).to.equal(undefined)
  })

  it('tells whoever is told in lists, and waits where that asks it to', async () => {
    const source = new Lists(['a', 'b'], ['c'])
    const told: (readonly string[])[] = []
    let goOn: () => void = () => undefined
    const stream = streamOf(source)
    const result = stream.pipeTo((list) => {
      told.push(list)
      if (told.length > 1) return undefined
      return new Promise((resolve) => {
        goOn = resolve
      })
    })
    await turnOfLoop()
    expect(source.log).to.deep.equal(['shows ab'])
    goOn()
    expect(await result).to.equal('result')
    expect(told).to.deep.equal([['A', 'B'], ['C']])
    expect(await all(stream)).to.deep.equal(['C'])
  })
})
