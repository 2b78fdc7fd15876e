import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import { type HostError, toHostError } from '../../src/errors.ts'
import { ChunkReader } from '../../src/plugin/chunk-reader.ts'
import { errorOf } from '../helpers/plugins.ts'
import { timers } from '../helpers/timers.ts'

const toError = (error: unknown): HostError => toHostError(error, { plugin: 'p', hook: 'stream' })

describe('ChunkReader', () => {
  let before = 0
  let controller: AbortController
  let closed = 0
  beforeEach(() => {
    before = timers()
    controller = new AbortController()
    closed = 0
  })
  afterEach(() => {
    expect(timers(), 'timers that were left').to.equal(before)
    expect(getEventListeners(controller.signal, 'abort'), 'listeners').to.have.length(0)
  })

  function read(chunks: AsyncIterable<unknown> | Iterable<unknown>, seconds = 60): ChunkReader {
    return new ChunkReader(chunks, { seconds, signal: controller.signal, toError })
  }

  async function* count(most: number): AsyncGenerator<number> {
    try {
      for (let number = 1; number <= most; number++) yield number
    } finally {
      closed++
    }
  }

  /** An iterator that answers `next` once, and then never again. */
  function hanging(): AsyncIterable<number> {
    let asked = 0
    const next = () =>
      asked++ === 0
        ? Promise.resolve({ value: 1, done: false })
        : new Promise<never>(() => undefined)
    const close = () => {
      closed++
      return new Promise<never>(() => undefined)
    }
    return { [Symbol.asyncIterator]: () => ({ next, return: close }) }
  }

  async function all(reader: ChunkReader): Promise<unknown[]> {
    const seen: unknown[] = []
    for await (const chunk of reader) seen.push(chunk)
    return seen
  }

  it('gives all chunks of an async generator, of an array and of a generator', async () => {
    expect(await all(read(count(3)))).to.deep.equal([1, 2, 3])
    expect(await all(read(['a', 'b']))).to.deep.equal(['a', 'b'])
    expect(await all(read(new Set([1, 2]).values()))).to.deep.equal([1, 2])
    expect(await all(read([]))).to.deep.equal([])
  })

  it('pulls only what its reader asks for, and closes the generator when the reader stops', async () => {
    let made = 0
    async function* endless() {
      try {
        for (;;) yield ++made
      } finally {
        closed++
      }
    }
    for await (const chunk of read(endless())) if (chunk === 3) break
    expect({ made, closed }).to.deep.equal({ made: 3, closed: 1 })
  })

  it('fails with what the generator throws, as the caller would have it named', async () => {
    async function* failing() {
      yield 1
      throw Object.assign(new Error('cut off'), { code: 'STREAM_INTERRUPTED' })
    }
    const error = await errorOf(all(read(failing())))
    expect(error).to.include({ code: 'STREAM_INTERRUPTED', plugin: 'p', hook: 'stream' })
  })

  it('fails with TIMEOUT after too long a silence, though the iterator hangs, and closes it', async () => {
    const error = await errorOf(all(read(hanging(), 0.005)))
    expect(error).to.include({ code: 'TIMEOUT', plugin: 'p' })
    expect(closed).to.equal(1)
  })

  it('measures silence from each pull, not from the start', async () => {
    const seconds = 0.05
    const pause = () => new Promise((resolve) => setTimeout(resolve, seconds * 400))
    async function* steady() {
      for (let number = 1; number <= 5; number++) {
        await pause()
        yield number
      }
    }
    expect(await all(read(steady(), seconds))).to.have.length(5)
  })

  it('counts no time that its reader takes between two pulls', async () => {
    const seconds = 0.02
    const reader = read(count(3), seconds)
    await reader.next()
    await new Promise((resolve) => setTimeout(resolve, seconds * 3000))
    expect(await reader.next()).to.deep.equal({ value: 2, done: false })
    await reader.return()
  })

  it('fails where an iterator answers with what is no result, at once or later', async () => {
    const results = [undefined, 1, Promise.resolve(undefined), { then: 1 }]
    const unreadable = Object.defineProperty({}, 'done', {
      get: () => {
        throw new Error('unreadable')
      },
    })
    for (const result of [...results, unreadable, Promise.resolve(unreadable)]) {
      const next = () => result as Promise<IteratorResult<unknown>>
      const reader = read({ [Symbol.asyncIterator]: () => ({ next }) })
      expect(await errorOf(reader.next())).to.include({ code: 'HOOK_FAILED', hook: 'stream' })
      expect(await reader.next()).to.deep.equal({ value: undefined, done: true })
    }
  })

  it('fails with ABORTED while it waits, and closes the iterator', async () => {
    const reader = read(hanging())
    await reader.next()
    const waiting = reader.next()
    controller.abort('enough')
    expect(await errorOf(waiting)).to.include({ code: 'ABORTED', message: 'enough' })
    expect(closed).to.equal(1)
  })

  it('fails with ABORTED at the next pull where the abort came between two', async () => {
    const reader = read(count(3))
    await reader.next()
    controller.abort()
    expect(await errorOf(reader.next())).to.include({ code: 'ABORTED' })
    expect(closed).to.equal(1)
  })

  it('has ended after an error', async () => {
    controller.abort()
    const reader = read(count(3))
    await errorOf(reader.next())
    expect(await reader.next()).to.deep.equal({ value: undefined, done: true })
  })

  it('drops an error that comes while an iterator is closed', async () => {
    async function* failing() {
      try {
        yield 1
        yield 2
      } finally {
        closed++
        // biome-ignore lint/correctness/noUnsafeFinally: a plugin may be written so
        throw new Error('while closing')
      }
    }
    for await (const _ of read(failing())) break
    expect(closed).to.equal(1)
  })

  it('is not held up by an iterator that never closes', async () => {
    for await (const _ of read(hanging())) break
    expect(closed).to.equal(1)
  })

  it('may be closed twice, and before its first pull', async () => {
    const reader = read(count(1))
    await reader.return()
    await reader.return()
    expect(await reader.next()).to.deep.equal({ value: undefined, done: true })
  })

  it('fails, named, where the iterator cannot be made', async () => {
    const broken: AsyncIterable<unknown> = {
      [Symbol.asyncIterator]: () => {
        throw new Error('used twice')
      },
    }
    const error = await errorOf(() => read(broken))
    expect(error).to.include({ code: 'HOOK_FAILED', plugin: 'p', message: 'used twice' })
  })
})
