import { expect } from 'chai'
import { HostError } from '../../src/plugin/index.ts'
import { firstPages, respondStream } from '../../src/server/respond.ts'
import { errorOf } from '../helpers/plugins.ts'

describe('a response that streams a run', () => {
  /** A response whose run says nothing, and how often its reading and the response itself ended. */
  async function silentResponse(request: Request) {
    const ended = { readings: 0, responses: 0 }
    const silence = new Promise<never>(() => undefined)
    const pages = {
      next: () => silence,
      pipeTo: () => silence,
      return: async () => {
        ended.readings++
        return { done: true, value: undefined }
      },
    }
    const runs = {
      read: () => pages,
      shownErrors: { of: () => ({ encoder: () => ({ encode: () => '' }) }) },
    }
    const dialect = { encoder: () => ({}), headers: {} }
    const run = { id: 'r', order: { agent: 'a', messageId: 'm', createdAt: 0, tools: [] } }
    const options = {
      runs,
      request,
      heartbeat: 60_000,
      after: 1,
      onEnd: () => {
        ended.responses++
      },
    }
    const response = await respondStream(run as never, dialect as never, options as never)
    return { response, ended }
  }

  it('ends when its request is cancelled, also before anybody reads it', async () => {
    const client = new AbortController()
    const { response, ended } = await silentResponse(
      new Request('http://127.0.0.1/', { signal: client.signal }),
    )
    expect(ended).to.deep.equal({ readings: 0, responses: 0 })
    client.abort()
    expect(ended).to.deep.equal({ readings: 1, responses: 1 })
    await response.body?.cancel()
    expect(ended.responses).to.equal(1)
  })

  it('ends at once for a request that was cancelled before', async () => {
    const signal = AbortSignal.abort()
    const { response, ended } = await silentResponse(new Request('http://127.0.0.1/', { signal }))
    expect(ended).to.deep.equal({ readings: 1, responses: 1 })
    await response.body?.cancel()
  })
})

describe('a response whose run cannot be read to its end', () => {
  async function bodyOf(code: 'READER_BEHIND' | 'HOST_CLOSED'): Promise<string> {
    const failing = async () => {
      throw new HostError(code, 'It failed.')
    }
    const pages = { next: failing, pipeTo: failing, return: async () => ({ done: true }) }
    const encoder = { encode: ({ type }: { type: string }) => `${type};` }
    const runs = { read: () => pages, shownErrors: { of: () => ({ encoder: () => encoder }) } }
    const dialect = { encoder: () => encoder, headers: {} }
    const run = { id: 'r', order: { agent: 'a', messageId: 'm', createdAt: 0, tools: [] } }
    const request = new Request('http://127.0.0.1/')
    const options = { runs, request, heartbeat: 60_000, after: 1 }
    return (await respondStream(run as never, dialect as never, options as never)).text()
  }

  it('ends with an error where its events were deleted', async () => {
    expect(await bodyOf('READER_BEHIND')).to.equal('error;')
  })

  it('is cut off where the run goes on in another process', async () => {
    expect(await errorOf(bodyOf('HOST_CLOSED'))).to.have.property('code', 'HOST_CLOSED')
  })
})

describe('the first pages of a run', () => {
  const { now } = performance
  afterEach(() => {
    performance.now = now
  })

  /** What a reader gets that accepts a silence of so many milliseconds, of a run that fails after six seconds. */
  async function read(silence: number): Promise<unknown> {
    let late = 0
    performance.now = () => now.call(performance) + late
    const error = { code: 'RATE_LIMITED', message: 'Later.' }
    const events = [{ type: 'start' }, { type: 'error', error }]
    const next = async () => {
      await Promise.resolve()
      const value = events.splice(0, 1)
      if (events.length === 1) late = 6000
      return { done: false, value }
    }
    return firstPages({ next } as never, silence).catch((thrown: unknown) => thrown)
  }

  it('fail with the error of the run where the reader accepts the silence before it', async () => {
    expect(await read(20_000)).to.have.property('code', 'RATE_LIMITED')
  })

  it('are those of five seconds, where the reader accepts less', async () => {
    expect(await read(20))
      .to.be.an('array')
      .with.length(2)
  })
})
