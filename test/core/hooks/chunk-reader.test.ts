import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import { ChunkReader } from '../../../src/core/hooks/chunk-reader.ts'
import type { Sink } from '../../../src/core/hooks/sink.ts'
import { type HostError, toHostError } from '../../../src/plugin/errors.ts'
import { useController } from '../../helpers/early-end.ts'
import { errorOf } from '../../helpers/plugins.ts'

const toError = (error: unknown): HostError => toHostError(error, { plugin: 'p', hook: 'stream' })

const OWN = { plugin: {} }

describe('ChunkReader', () => {
  const freshController = useController()
  let controller: AbortController
  let closed = 0
  beforeEach(() => {
    controller = freshController()
    closed = 0
  })

  function read(
    chunks: AsyncIterable<unknown> | Iterable<unknown>,
    take: Sink<unknown>,
    seconds = 60,
  ): Promise<void> {
    return new ChunkReader(chunks, take, {
      ...OWN,
      seconds,
      signal: controller.signal,
      toError,
    }).read()
  }

  async function all(
    chunks: AsyncIterable<unknown> | Iterable<unknown>,
    seconds?: number,
  ): Promise<unknown[]> {
    const seen: unknown[] = []
    await read(chunks, (chunk) => void seen.push(chunk), seconds)
    return seen
  }

  const ignore: Sink<unknown> = () => undefined

  function sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, milliseconds)
    })
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

  it('gives all chunks of an async generator, of an array and of a generator', async () => {
    expect(await all(count(3))).to.deep.equal([1, 2, 3])
    expect(await all(['a', 'b'])).to.deep.equal(['a', 'b'])
    expect(await all(new Set([1, 2]).values())).to.deep.equal([1, 2])
    expect(await all([])).to.deep.equal([])
  })

  it('gives as many chunks as are there at once', async () => {
    expect(await all(Array.from({ length: 100_000 }))).to.have.length(100_000)
  })

  it('reads no longer than the whole may take, and leaves no timer', async () => {
    const late = () => toHostError(new Error('too late'))
    const readFor = (take: Sink<unknown>, seconds: number, chunks = count(Infinity)) =>
      new ChunkReader(chunks, take, {
        ...OWN,
        seconds: 60,
        signal: controller.signal,
        toError,
        whole: { seconds, toError: late },
      }).read()
    await readFor(ignore, 60, count(3))
    const error = await errorOf(readFor(() => sleep(1), 0.02))
    expect(error.message).to.equal('too late')
    expect(closed).to.equal(2)
  })

  it('asks for a chunk only when the one before it was taken', async () => {
    const log: string[] = []
    async function* steps() {
      for (let number = 1; number <= 2; number++) {
        log.push(`made ${number}`)
        yield number
      }
    }
    await read(steps(), async (chunk) => {
      await setImmediate()
      log.push(`took ${String(chunk)}`)
    })
    expect(log).to.deep.equal(['made 1', 'took 1', 'made 2', 'took 2'])
  })

  for (const [when, take] of [
    ['at once', (chunk: unknown) => fail(chunk)],
    ['later', async (chunk: unknown) => fail(chunk)],
  ] as const) {
    it(`fails with what is thrown ${when} where a chunk is taken, and closes the generator`, async () => {
      let made = 0
      async function* endless() {
        try {
          for (;;) yield ++made
        } finally {
          closed++
        }
      }
      const error = await errorOf(read(endless(), take))
      expect(error).to.include({ message: 'took 3' }).and.not.to.have.property('hook')
      expect({ made, closed }).to.deep.equal({ made: 3, closed: 1 })
    })
  }

  function fail(chunk: unknown): undefined {
    if (chunk === 3) throw new Error('took 3')
  }

  it('fails with what the generator throws, as the caller would have it named', async () => {
    async function* failing() {
      yield 1
      throw Object.assign(new Error('cut off'), { code: 'STREAM_INTERRUPTED' })
    }
    const error = await errorOf(all(failing()))
    expect(error).to.include({ code: 'STREAM_INTERRUPTED', plugin: 'p', hook: 'stream' })
  })

  it('fails with TIMEOUT after too long a silence, though the iterator hangs, and closes it', async () => {
    const error = await errorOf(all(hanging(), 0.005))
    expect(error).to.include({ code: 'TIMEOUT', plugin: 'p' })
    expect(closed).to.equal(1)
  })

  it('measures silence from each pull, not from the start', async () => {
    const seconds = 0.05
    async function* steady() {
      for (let number = 1; number <= 5; number++) {
        await sleep(seconds * 400)
        yield number
      }
    }
    expect(await all(steady(), seconds)).to.have.length(5)
  })

  it('fails with TIMEOUT in a silence behind other chunks, no sooner than it may', async () => {
    const seconds = 0.05
    let last = 0
    async function* stalling() {
      for (let number = 1; number <= 3; number++) {
        await sleep(seconds * 400)
        last = performance.now()
        yield number
      }
      await new Promise(() => undefined)
    }
    expect(await errorOf(all(stalling(), seconds))).to.include({ code: 'TIMEOUT' })
    expect(performance.now() - last).to.be.at.least(seconds * 1000 - 1)
  })

  it('counts no time in which a chunk is taken', async () => {
    const seconds = 0.02
    const seen: unknown[] = []
    const take: Sink<unknown> = async (chunk) => {
      await sleep(seconds * 3000)
      seen.push(chunk)
    }
    await read(count(2), take, seconds)
    expect(seen).to.deep.equal([1, 2])
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
      const error = await errorOf(read({ [Symbol.asyncIterator]: () => ({ next }) }, ignore))
      expect(error).to.include({ code: 'HOOK_FAILED', hook: 'stream' })
    }
  })

  it('takes one answer of a thenable that gives two', async () => {
    let made = 0
    const next = () => {
      const result = { value: ++made, done: made > 2 }
      const answer = {
        then: (resolve: (one: unknown) => void) => [resolve(result), resolve(result)],
      }
      return answer as unknown as Promise<IteratorResult<unknown>>
    }
    expect(await all({ [Symbol.asyncIterator]: () => ({ next }) })).to.deep.equal([1, 2])
  })

  it('fails with ABORTED while it waits, and closes the iterator', async () => {
    const waiting = read(hanging(), ignore)
    await setImmediate()
    controller.abort('enough')
    expect(await errorOf(waiting)).to.include({ code: 'ABORTED', message: 'enough' })
    expect(closed).to.equal(1)
  })

  it('hands on no chunk that comes after it was aborted', async () => {
    const seen: unknown[] = []
    async function* slow() {
      await sleep(5)
      yield 1
    }
    const waiting = read(slow(), (chunk) => void seen.push(chunk))
    controller.abort()
    await errorOf(waiting)
    await sleep(20)
    expect(seen).to.deep.equal([])
  })

  it('fails with ABORTED at the next pull where the abort came while a chunk was taken', async () => {
    let taken = 0
    const take: Sink<unknown> = async () => {
      taken++
      controller.abort()
      await setImmediate()
    }
    expect(await errorOf(read(count(3), take))).to.include({ code: 'ABORTED' })
    expect({ taken, closed }).to.deep.equal({ taken: 1, closed: 1 })
  })

  it('asks for nothing where it is aborted from the start', async () => {
    controller.abort()
    let made = 0
    async function* counted() {
      yield ++made
    }
    expect(await errorOf(read(counted(), ignore))).to.include({ code: 'ABORTED' })
    expect(made).to.equal(0)
  })

  const stop: Sink<unknown> = () => {
    throw new Error('enough')
  }

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
    await errorOf(read(failing(), stop))
    expect(closed).to.equal(1)
  })

  it('is not held up by an iterator that never closes', async () => {
    await errorOf(read(hanging(), stop))
    expect(closed).to.equal(1)
  })

  it('fails, named, where the iterator cannot be made', async () => {
    const broken: AsyncIterable<unknown> = {
      [Symbol.asyncIterator]: () => {
        throw new Error('used twice')
      },
    }
    const error = await errorOf(() => read(broken, ignore))
    expect(error).to.include({ code: 'HOOK_FAILED', plugin: 'p', message: 'used twice' })
  })
})
